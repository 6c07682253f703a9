// Command reporttypes writes TypeScript and Python types for reports: docs/types/report.d.ts and docs/types/report.py.
// It generates them from the same Go types as the OpenAPI document of the gateway. Run it in the root folder of the
// module: go run ./internal/reporttypes.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/openapi"
)

func main() {
	for name, text := range generate() {
		if err := os.WriteFile(filepath.Join("docs", "types", name), []byte(text), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// generate returns the contents of the files by file name.
func generate() map[string]string {
	types := gateway.OperationTypes()
	types.Of(gateway.ReportType())
	return map[string]string{"report.d.ts": typescript(types.Components), "report.py": python(types.Components)}
}

// header is the comment in the first line of each file.
const header = "The report of a request to a gateway, as GET /callwright/reports/{id} answers. Written by go run ./internal/reporttypes: do not edit."

// nameOf returns the type name of a component in the files.
func nameOf(component string) string {
	if component == "ShownReport" {
		return "Report"
	}
	return component
}

// isRequired reports whether a member is required.
func isRequired(s *openapi.Schema, name string) bool {
	for _, one := range s.Required {
		if one == name {
			return true
		}
	}
	return false
}
