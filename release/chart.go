package main

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

// chartVersion matches the lines of Chart.yaml with the version.
var chartVersion = regexp.MustCompile(`(?m)^(version|appVersion): .*$`)

// writeChart writes the Helm chart as a .tgz file, with the version of the release.
func (r *release) writeChart(context.Context) error {
	list, err := entriesOf(filepath.Join(r.root, "packaging", "helm", "callwright"))
	if err != nil {
		return err
	}
	for i := range list {
		e := &list[i]
		if e.name == "Chart.yaml" {
			e.text = chartVersion.ReplaceAll(e.text, []byte("$1: \""+r.version+"\""))
		}
		e.name = "callwright/" + e.name
	}
	text, err := tarGzOf(list, r.date)
	if err != nil {
		return err
	}
	return r.write("callwright-chart-"+r.version+".tgz", text)
}

// writeFormula writes the Homebrew formula. It does nothing if an archive of one of its platforms is missing.
func (r *release) writeFormula(context.Context) error {
	text, err := r.read("packaging", "homebrew", "callwright.rb")
	if err != nil {
		return err
	}
	replace := []string{"@VERSION@", r.version, "@HOMEPAGE@", "https://" + r.module}
	for _, goos := range []string{"darwin", "linux"} {
		for _, arch := range []string{"amd64", "arm64"} {
			name := fmt.Sprintf("callwright_%s_%s_%s.tar.gz", r.version, goos, arch)
			if r.sums[name] == "" {
				return nil
			}
			mark := strings.ToUpper(goos + "_" + arch)
			replace = append(replace, "@URL_"+mark+"@", r.baseURL+"/"+name, "@SHA256_"+mark+"@", r.sums[name])
		}
	}
	return r.write("callwright.rb", []byte(strings.NewReplacer(replace...).Replace(string(text))))
}
