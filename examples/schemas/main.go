// Command schemas translates the schema of a tool for a provider, and restores the arguments that come back.
package main

import (
	"fmt"
	"log"

	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/repair"
	"github.com/callwright/callwright/schema"
	"github.com/callwright/callwright/schema/adapter"
)

const parameters = `{"type":"object","properties":{"city":{"type":"string","minLength":1},"days":{"type":"integer"}},"required":["city"]}`

func main() {
	t, err := adapter.Translate(caps.SchemaOpenAIStrict, []byte(parameters))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("sent:", string(t.Schema))
	for _, dropped := range t.Dropped {
		fmt.Println("not expressed:", dropped.Keyword, "at", dropped.Path)
	}

	repaired, err := repair.JSON(`{'city': 'Oslo', "days": null,}`) // the model's arguments
	if err != nil {
		log.Fatal(err)
	}
	arguments := t.Restore(repaired.JSON)
	original, err := schema.Compile([]byte(parameters))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("arguments:", string(arguments))
	fmt.Println("violations:", len(original.Validate(arguments)))

	names := adapter.NewNames(caps.SchemaOpenAI, []string{"notion.search"})
	sent := names.SentName("notion.search")
	fmt.Println("tool:", sent, "is", names.Original(sent))
}
