package main

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

// wheelTags maps a platform to the platform tags of its wheel:
// https://packaging.python.org/en/latest/specifications/platform-compatibility-tags/. The program is static, so one
// Linux wheel is for both glibc and musl. The minimum macOS version is Go's: https://go.dev/wiki/MinimumRequirements.
var wheelTags = map[platform]string{
	{"linux", "amd64"}:   "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
	{"linux", "arm64"}:   "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
	{"darwin", "amd64"}:  "macosx_12_0_x86_64",
	{"darwin", "arm64"}:  "macosx_12_0_arm64",
	{"windows", "amd64"}: "win_amd64",
	{"windows", "arm64"}: "win_arm64",
}

// writeWheels writes a Python wheel for each platform, with the module of packaging/python and the program as a script.
func (r *release) writeWheels(context.Context) error {
	version, err := pythonVersion(r.version)
	if err != nil {
		return err
	}
	module, err := entriesOf(filepath.Join(r.root, "packaging", "python", "callwright"))
	if err != nil {
		return err
	}
	readme, err := r.read("packaging", "python", "README.md")
	if err != nil {
		return err
	}
	metadata := "Metadata-Version: 2.4\nName: callwright\nVersion: " + version + "\nSummary: " + summary +
		"\nLicense-Expression: Apache-2.0\n" +
		"License-File: LICENSE\nLicense-File: THIRD-PARTY-LICENSES\nRequires-Python: >=3.9\nProject-URL: Source, https://" + r.module +
		"\nDescription-Content-Type: text/markdown\n\n" + string(readme)
	info := "callwright-" + version + ".dist-info/"
	for _, b := range r.binaries {
		list := []entry{{name: "callwright-" + version + ".data/scripts/callwright" + b.exe(), text: b.text, mode: 0o755}}
		for _, e := range byName(module) {
			if strings.Contains(e.name, "__pycache__") {
				continue
			}
			if e.name == "__init__.py" {
				e.text = []byte(strings.Replace(string(e.text), `__version__ = "0"`, `__version__ = "`+version+`"`, 1))
			}
			list = append(list, entry{name: "callwright/" + e.name, text: e.text, mode: 0o644})
		}
		tags := ""
		for _, tag := range strings.Split(wheelTags[b.platform], ".") {
			tags += "Tag: py3-none-" + tag + "\n"
		}
		list = append(list,
			entry{name: info + "METADATA", text: []byte(metadata), mode: 0o644},
			entry{name: info + "WHEEL", text: []byte("Wheel-Version: 1.0\nGenerator: callwright-release\nRoot-Is-Purelib: false\n" + tags), mode: 0o644},
			entry{name: info + "licenses/LICENSE", text: r.shared.license, mode: 0o644},
			entry{name: info + "licenses/THIRD-PARTY-LICENSES", text: r.shared.thirdParty, mode: 0o644},
		)
		byName(list)
		list = append(list, record(list, info+"RECORD"))
		text, err := zipOf(list, r.date)
		if err != nil {
			return err
		}
		if err := r.write("callwright-"+version+"-py3-none-"+wheelTags[b.platform]+".whl", text); err != nil {
			return err
		}
	}
	return nil
}

// record returns the RECORD file of a wheel, which lists all other files with their checksums. name is its path.
func record(list []entry, name string) entry {
	var out strings.Builder
	for _, e := range list {
		sum := sha256.Sum256(e.text)
		fmt.Fprintf(&out, "%s,sha256=%s,%d\n", e.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(e.text))
	}
	out.WriteString(name + ",,\n")
	return entry{name: name, text: []byte(out.String()), mode: 0o644}
}

// preRelease matches the pre-release versions that Python's version scheme can express.
var preRelease = regexp.MustCompile(`^([\d.]+)-(alpha|beta|rc)\.(\d+)$`)

// pythonVersion converts a semantic version to Python's version scheme: "1.0.0-rc.1" becomes "1.0.0rc1"
// (https://packaging.python.org/en/latest/specifications/version-specifiers/).
func pythonVersion(version string) (string, error) {
	if !strings.Contains(version, "-") {
		return version, nil
	}
	m := preRelease.FindStringSubmatch(version)
	if m == nil {
		return "", fmt.Errorf("version %s: wheels support no suffix, or -alpha.N, -beta.N or -rc.N", version)
	}
	return m[1] + map[string]string{"alpha": "a", "beta": "b", "rc": "rc"}[m[2]] + m[3], nil
}
