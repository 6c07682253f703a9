package main

import (
	"context"
	"encoding/json"
	"path/filepath"
)

// nodeOS and nodeArch map GOOS and GOARCH to Node's process.platform and process.arch.
var (
	nodeOS   = map[string]string{"linux": "linux", "darwin": "darwin", "windows": "win32"}
	nodeArch = map[string]string{"amd64": "x64", "arm64": "arm64"}
)

func nodeName(p platform) string { return nodeOS[p.os] + "-" + nodeArch[p.arch] }

// writeNPM writes the npm package callwright and one package per platform with the program. The platform packages are
// optional dependencies of the first.
func (r *release) writeNPM(context.Context) error {
	manifest, err := r.mainManifest()
	if err != nil {
		return err
	}
	list, err := entriesOf(filepath.Join(r.root, "packaging", "npm", "callwright"))
	if err != nil {
		return err
	}
	for i := range list {
		switch e := &list[i]; e.name {
		case "package.json":
			e.text = manifest
		case "bin/callwright.js":
			e.mode = 0o755
		}
	}
	if err := r.writeNPMPackage("callwright-npm-"+r.version+".tgz",
		append(list, entry{name: "LICENSE", text: r.shared.license, mode: 0o644})); err != nil {
		return err
	}
	for _, b := range r.binaries {
		manifest, err := jsonOf(map[string]any{
			"name": "@callwright/" + nodeName(b.platform), "version": r.version,
			"description": "The program of callwright for " + nodeName(b.platform),
			"license":     "Apache-2.0", "repository": map[string]string{"type": "git", "url": "git+https://" + r.module + ".git"},
			"os": []string{nodeOS[b.os]}, "cpu": []string{nodeArch[b.arch]}, "preferUnplugged": true,
		})
		if err != nil {
			return err
		}
		if err := r.writeNPMPackage("callwright-npm-"+nodeName(b.platform)+"-"+r.version+".tgz", []entry{
			{name: "package.json", text: manifest, mode: 0o644},
			{name: "bin/callwright" + b.exe(), text: b.text, mode: 0o755},
			{name: "LICENSE", text: r.shared.license, mode: 0o644},
			{name: "THIRD-PARTY-LICENSES", text: r.shared.thirdParty, mode: 0o644},
		}); err != nil {
			return err
		}
	}
	return nil
}

func (r *release) writeNPMPackage(name string, list []entry) error {
	for i := range list {
		list[i].name = "package/" + list[i].name
	}
	text, err := tarGzOf(list, r.date)
	if err != nil {
		return err
	}
	return r.write(name, text)
}

// mainManifest returns the package.json of packaging/npm/callwright with the version and all platform packages.
func (r *release) mainManifest() ([]byte, error) {
	text, err := r.read("packaging", "npm", "callwright", "package.json")
	if err != nil {
		return nil, err
	}
	var manifest map[string]any
	if err := json.Unmarshal(text, &manifest); err != nil {
		return nil, err
	}
	optional := map[string]string{}
	for _, p := range platforms {
		optional["@callwright/"+nodeName(p)] = r.version
	}
	manifest["version"], manifest["optionalDependencies"] = r.version, optional
	delete(manifest, "private")
	return jsonOf(manifest)
}
