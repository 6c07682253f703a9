package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"io/fs"
	"slices"
	"time"
)

// An entry is a file or a folder in an archive.
type entry struct {
	name string // slash-separated path; a folder's ends with a slash
	text []byte
	mode fs.FileMode
	uid  int
}

func (e *entry) isDir() bool { return e.name[len(e.name)-1] == '/' }

// byName sorts entries by name in place; a folder precedes its files.
func byName(list []entry) []entry {
	slices.SortFunc(list, func(a, b entry) int { return cmp.Compare(a.name, b.name) })
	return list
}

// tarOf returns a tar archive of the sorted entries. All have the modification time at.
func tarOf(list []entry, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, e := range byName(list) {
		h := &tar.Header{Name: e.name, Mode: int64(e.mode.Perm()), ModTime: at, Uid: e.uid, Gid: e.uid, Format: tar.FormatPAX,
			Typeflag: tar.TypeReg, Size: int64(len(e.text))}
		if e.mode&fs.ModeSticky != 0 {
			h.Mode |= 0o1000
		}
		if e.isDir() {
			h.Typeflag, h.Size = tar.TypeDir, 0
		}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(e.text); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

// compress returns text compressed by gzip. The header has no name and no time.
func compress(text []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
}

func tarGzOf(list []entry, at time.Time) ([]byte, error) {
	text, err := tarOf(list, at)
	if err != nil {
		return nil, err
	}
	return compress(text)
}

// zipOf returns a zip archive of the entries in the given order. All have the modification time at. Folders are
// skipped.
func zipOf(list []entry, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, e := range list {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: at}
		h.SetMode(e.mode)
		f, err := w.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := f.Write(e.text); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

// writeArchives writes a tar.gz or zip archive for each platform, with the program, licenses, manual page and shell
// completions.
func (r *release) writeArchives(context.Context) error {
	for _, b := range r.binaries {
		top := "callwright_" + r.version + "_" + b.os + "_" + b.arch
		list := []entry{
			{name: top + "/callwright" + b.exe(), text: b.text, mode: 0o755},
			{name: top + "/README.txt", text: r.shared.readme, mode: 0o644},
			{name: top + "/LICENSE", text: r.shared.license, mode: 0o644},
			{name: top + "/THIRD-PARTY-LICENSES", text: r.shared.thirdParty, mode: 0o644},
			{name: top + "/callwright.1", text: r.shared.manual, mode: 0o644},
		}
		for shell, text := range r.shared.completions {
			list = append(list, entry{name: top + "/completions/" + completionFile[shell], text: text, mode: 0o644})
		}
		byName(list)
		form, ending := tarGzOf, ".tar.gz"
		if b.os == "windows" {
			form, ending = zipOf, ".zip"
		}
		text, err := form(list, r.date)
		if err != nil {
			return err
		}
		if err := r.write(top+ending, text); err != nil {
			return err
		}
	}
	return nil
}

// completionFile maps a shell to the name of its completion file.
var completionFile = map[string]string{"bash": "callwright.bash", "zsh": "_callwright", "fish": "callwright.fish",
	"powershell": "callwright.ps1"}
