// Command capsgen generates the table of package modeltable from a list of model capabilities.
//
//	go run ./internal/capsgen LIST.json > internal/modeltable/models.txt
//
// LIST.json is an array of objects with the members kind ("model"), provider, pattern (a regular expression: the model
// name between ^ and $), native_tools, json_schema, max_context and max_output. Unknown values are null.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright/caps"
)

type listed struct {
	Kind, Provider, Pattern string
	Tools                   *bool `json:"native_tools"`
	JSONSchema              *bool `json:"json_schema"`
	Context                 int   `json:"max_context"`
	Output                  int   `json:"max_output"`
}

// here maps provider names in LIST.json to the names of the same providers in this module.
var here = map[string]string{"alibaba": "dashscope", "google": "gemini"}

// corrections maps "PROVIDER MODEL" to whether the model supports tools, for models with a wrong value in LIST.json.
var corrections = map[string]bool{
	"openai gpt-3-5-turbo": true, // https://openai.com/index/function-calling-and-other-api-updates: functions since the version 0613
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "capsgen:", err)
		os.Exit(1)
	}
}

func run() error {
	if len(os.Args) != 2 {
		return fmt.Errorf("expected one argument, the list")
	}
	raw, err := os.ReadFile(os.Args[1])
	if err != nil {
		return err
	}
	var list []listed
	if err := json.Unmarshal(raw, &list); err != nil {
		return err
	}
	_, err = os.Stdout.Write(table(list))
	return err
}

// table returns the content of models.txt.
func table(list []listed) []byte {
	lines := map[string]string{}
	for _, m := range list {
		name, exact := strings.CutPrefix(m.Pattern, "^")
		name, whole := strings.CutSuffix(strings.ReplaceAll(name, `\`, ""), "$")
		if m.Kind != "model" || !exact || !whole || m.Tools == nil && m.JSONSchema == nil && m.Context+m.Output == 0 {
			continue
		}
		key := cmp.Or(here[m.Provider], m.Provider) + " " + caps.PlainName(name)
		if tools, wrong := corrections[key]; wrong {
			m.Tools = &tools
		}
		lines[key] = strings.Join([]string{cmp.Or(here[m.Provider], m.Provider), name, truth(m.Tools), truth(m.JSONSchema),
			number(m.Context), number(m.Output)}, " ")
	}
	var out bytes.Buffer
	keys := make([]string, 0, len(lines))
	for key := range lines {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		out.WriteString(lines[key] + "\n")
	}
	return out.Bytes()
}

func truth(b *bool) string {
	switch {
	case b == nil:
		return "-"
	case *b:
		return "yes"
	}
	return "no"
}

func number(n int) string {
	if n == 0 {
		return "-"
	}
	return strconv.Itoa(n)
}
