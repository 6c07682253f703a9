package dialect

import (
	"slices"
	"strings"
)

// table are the formats, in the order in which their marks are tried. A mark that several formats share stands in the
// first of them; a later one names it as its kin.
var table = complete(slices.Concat(jsonRows, tagRows, tokenRows, headRows, scriptRows, templateRows))

// complete gives rows that have a voice an example in it.
func complete(rows []Format) []Format {
	for i := range rows {
		if f := &rows[i]; f.Example == "" && f.renderer != nil {
			var b strings.Builder
			f.renderer.calls(&b, []RenderedCall{{Name: "get_weather", Arguments: []byte(`{"city": "Paris"}`)}})
			f.Example = b.String()
		}
	}
	return rows
}

// templateRows are what stands around answers.
var templateRows = []Format{
	{
		Name: "template", Fault: "F11",
		Doc: "What chat templates leave in texts, and other spellings of reasoning. Nothing is rendered in it.",
		Marks: []Mark{
			{"<|im_start|>", "<|im_end|>", Noise}, {"<|endoftext|>", "", Noise}, {"<|eot_id|>", "", Noise}, {"<|eom_id|>", "", Noise}, {"<|eot|>", "<|eom|>", Noise},
			{"<|start_header_id|>", "<|end_header_id|>", Noise}, {"<|end_of_text|>", "", Noise}, {"<|begin_of_text|>", "", Noise},
			{"<|end_of_sentence|>", "<|begin_of_sentence|>", Noise}, {"<s>", "", Noise}, {"<|endofturn|>", "", Noise}, {"<end_of_turn>", "", Noise},
			{"<start_of_turn>", "", Noise}, {"<|EOT|>", "", Noise}, {"<|user|>", "<|assistant|>", Noise}, {"<|User|>", "<|Assistant|>", Noise}, {"<|observation|>", "<|system|>", Noise},
			{"<|end_of_turn|>", "<|END_OF_TURN_TOKEN|>", Noise}, {"<|message_sep|>", "<|role_sep|>", Noise}, {"[BOS]", "[EOS]", Noise},
			{"<thought>", "</thought>", Think}, {"<reasoning>", "</reasoning>", Think},
		},
	},
}
