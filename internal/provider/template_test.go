package provider

import (
	"strings"
	"testing"
)

// TestOpensReasoning: the end of a template tells whether it opens reasoning before the answer, for some requests at least. The templates are the ends of
// those of models, which ask for the answer in these ways.
func TestOpensReasoning(t *testing.T) {
	const history = "{{ '<think>\\n' + message.reasoning_content + '\\n</think>\\n\\n' }}{% endfor %}"
	for _, m := range thinkMarks {
		for end, want := range map[string]bool{
			"{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n<think>\\n' }}{% endif %}":                                                                      true,  // always
			"{%- if add_generation_prompt %}\n<|assistant|>{{- '</think>' if (enable_thinking is defined and not enable_thinking) else '<think>' -}}\n{%- endif -%}":   true,  // unless it is switched off
			"{% if add_generation_prompt %}{% if enable_thinking is false %}{{ '<think>\\n\\n</think>\\n\\n' }}{% else %}{{ '<think>\\n' }}{% endif %}{% endif %}":     true,  // the same
			"{% if add_generation_prompt %}{% if thinking %}<think>{% else %}<think></think>{% endif %}{% endif %}":                                                    true,  // in the other order
			"{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% if enable_thinking is false %}{{ '<think>\\n\\n</think>\\n\\n' }}{% endif %}{% endif %}": false, // the model opens it
			"{% if add_generation_prompt %}<|assistant|>{{- '\\n<think></think>' if (enable_thinking is defined and not enable_thinking) else '' -}}{% endif %}":       false, // the same
			"{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}":                                                                                           false, // no reasoning
			"{{ range .Messages }}<|im_start|>{{ .Role }}\n{{ .Content }}<|im_end|>\n{{ end }}<|im_start|>assistant\n<think>\n":                                        true,  // of Go's templates
			"{{ range .Messages }}<think>{{ .Thinking }}</think>{{ .Content }}<|im_end|>\n{{ end }}<|im_start|>assistant\n":                                            false,
			"": false,
		} {
			template := strings.NewReplacer("<think>", m.open, "</think>", m.close).Replace(history + end)
			if got := opensReasoning(template); got != want {
				t.Errorf("%s: got %t", template, got)
			}
		}
	}
}
