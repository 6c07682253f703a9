package engines

import (
	"bufio"
	"encoding/binary"
	"io"
	"math"
	"math/rand/v2"
)

// The model is one layer of a llama that changes nothing: each token has a place of its own in the residual stream, and
// the last place is that of all, so that the output's matrix is the table of successors.
const (
	width   = 1024 // of the residual stream
	head    = 64
	inner   = 32
	context = 4096

	chain = 60.0 // the logit of what a script continues with
)

// The kinds of values in GGUF.
const (
	ggufUint32  = 4
	ggufInt32   = 5
	ggufFloat32 = 6
	ggufBool    = 7
	ggufString  = 8
	ggufArray   = 9
)

const ggufAlign = 32

// A tensor is a matrix or a vector, of 32-bit floats.
type tensor struct {
	name string
	dims []uint64
	data []float32
}

func writeGGUF(w io.Writer, v *vocabulary) error {
	tensors, values := tensorsOf(v), valuesOf(v)
	g := &ggufWriter{w: bufio.NewWriterSize(w, 1<<20)}
	g.raw([]byte("GGUF"))
	g.put(uint32(3))
	g.put(uint64(len(tensors)))
	g.put(uint64(len(values)))
	for _, one := range values {
		g.value(one.key, one.value)
	}
	offset := uint64(0)
	for _, t := range tensors {
		g.text(t.name)
		g.put(uint32(len(t.dims)))
		g.put(t.dims)
		g.put(uint32(0)) // 32-bit floats
		g.put(offset)
		offset += (uint64(len(t.data))*4 + ggufAlign - 1) / ggufAlign * ggufAlign
	}
	g.align()
	for _, t := range tensors {
		g.put(t.data)
		g.align()
	}
	if g.err != nil {
		return g.err
	}
	return g.w.Flush()
}

func tensorsOf(v *vocabulary) []tensor {
	n := len(v.texts)
	r := rand.New(rand.NewPCG(1, 2))
	embed, out := make([]float32, n*width), make([]float32, n*width)
	scale := math.Sqrt(width / 2.0) // of each of the two places of a token, after the norm
	for id := range n {
		embed[id*width+id], embed[id*width+width-1] = 1, 1
		out[id*width+width-1] = float32(v.noiseLogit(id, r) / scale)
		if id < bytesOf {
			for from := range bytesOf { // the logits of one byte after another
				out[id*width+from] = float32(r.NormFloat64() * 0.3 / scale)
			}
		}
	}
	for from, to := range v.next {
		out[to*width+from] = float32(chain / scale)
	}
	ones := make([]float32, width)
	for i := range ones {
		ones[i] = 1
	}
	small := func(n int) []float32 {
		s := make([]float32, n)
		for i := range s {
			s[i] = float32(r.NormFloat64() * 0.01)
		}
		return s
	}
	return []tensor{
		{"token_embd.weight", []uint64{width, uint64(n)}, embed},
		{"output_norm.weight", []uint64{width}, ones},
		{"output.weight", []uint64{width, uint64(n)}, out},
		{"blk.0.attn_norm.weight", []uint64{width}, ones},
		{"blk.0.attn_q.weight", []uint64{width, head}, small(width * head)},
		{"blk.0.attn_k.weight", []uint64{width, head}, small(width * head)},
		{"blk.0.attn_v.weight", []uint64{width, head}, small(width * head)},
		{"blk.0.attn_output.weight", []uint64{head, width}, make([]float32, width*head)}, // attention says nothing
		{"blk.0.ffn_norm.weight", []uint64{width}, ones},
		{"blk.0.ffn_gate.weight", []uint64{width, inner}, small(width * inner)},
		{"blk.0.ffn_up.weight", []uint64{width, inner}, small(width * inner)},
		{"blk.0.ffn_down.weight", []uint64{inner, width}, make([]float32, width*inner)}, // and so does the rest
	}
}

// A keyValue is a value of the model's header.
type keyValue struct {
	key   string
	value any
}

func valuesOf(v *vocabulary) []keyValue {
	return []keyValue{
		{"general.architecture", "llama"},
		{"general.name", "tiny"},
		{"general.file_type", uint32(0)},
		{"llama.block_count", uint32(1)},
		{"llama.context_length", uint32(context)},
		{"llama.embedding_length", uint32(width)},
		{"llama.feed_forward_length", uint32(inner)},
		{"llama.attention.head_count", uint32(1)},
		{"llama.attention.head_count_kv", uint32(1)},
		{"llama.attention.key_length", uint32(head)},
		{"llama.attention.value_length", uint32(head)},
		{"llama.attention.layer_norm_rms_epsilon", float32(1e-6)},
		{"llama.rope.dimension_count", uint32(head)},
		{"llama.rope.freq_base", float32(10000)},
		{"llama.vocab_size", uint32(len(v.texts))},
		{"tokenizer.ggml.model", "gpt2"},
		{"tokenizer.ggml.pre", "llama-bpe"},
		{"tokenizer.ggml.tokens", v.texts},
		{"tokenizer.ggml.token_type", v.kinds},
		{"tokenizer.ggml.merges", []string{"t h"}},
		{"tokenizer.ggml.bos_token_id", uint32(v.pad)},
		{"tokenizer.ggml.eos_token_id", uint32(v.end)},
		{"tokenizer.ggml.padding_token_id", uint32(v.pad)},
		{"tokenizer.ggml.add_bos_token", false},
		{"tokenizer.chat_template", chatTemplate},
	}
}

// A ggufWriter writes a file, and keeps its first error.
type ggufWriter struct {
	w   *bufio.Writer
	n   int
	err error
}

func (g *ggufWriter) raw(b []byte) {
	if g.err == nil {
		_, g.err = g.w.Write(b)
	}
	g.n += len(b)
}

// put writes a number, or numbers.
func (g *ggufWriter) put(v any) {
	b, err := binary.Append(nil, binary.LittleEndian, v)
	if g.err == nil {
		g.err = err
	}
	g.raw(b)
}

func (g *ggufWriter) text(s string) {
	g.put(uint64(len(s)))
	g.raw([]byte(s))
}

func (g *ggufWriter) align() {
	g.raw(make([]byte, (ggufAlign-g.n%ggufAlign)%ggufAlign))
}

// value writes a value behind its key and its kind.
func (g *ggufWriter) value(key string, value any) {
	g.text(key)
	switch v := value.(type) {
	case string:
		g.put(uint32(ggufString))
		g.text(v)
	case []string:
		g.put([]uint32{ggufArray, ggufString})
		g.put(uint64(len(v)))
		for _, s := range v {
			g.text(s)
		}
	case []int32:
		g.put([]uint32{ggufArray, ggufInt32})
		g.put(uint64(len(v)))
		g.put(v)
	case uint32:
		g.put(uint32(ggufUint32))
		g.put(v)
	case float32:
		g.put(uint32(ggufFloat32))
		g.put(v)
	case bool:
		g.put(uint32(ggufBool))
		g.put(v)
	}
}
