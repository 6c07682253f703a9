package backslash_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/backslash"
)

// read returns the inside of a string, its escapes in angle brackets.
func read(raw string, l backslash.Language) string {
	r := backslash.NewReader(raw, '"', l)
	var b strings.Builder
	for i := 0; i < len(raw); i++ {
		switch {
		case raw[i] != '\\' || i+1 == len(raw):
			b.WriteByte(raw[i])
			continue
		case r.IsText(i):
			b.WriteString(raw[i : i+2])
		default:
			b.WriteString("<" + raw[i+1:i+2] + ">")
		}
		i++
	}
	return b.String()
}

func TestReader(t *testing.T) {
	for _, c := range []struct{ raw, want string }{
		{`rmdir /s /q C:\data\new`, `rmdir /s /q C:\data\new`},
		{`C:\bin\app.exe`, `C:\bin\app.exe`},
		{`C:\n\r\t\d`, `C:\n\r\t\d`},
		{`(d:\temp\news) \d`, `(d:\temp\news) \d`},
		{`f(C:\data)\nreturn`, `f(C:\data)<n>return`},
		{`C:\a;C:\new;D:\d`, `C:\a;C:\new;D:\d`},
		{`copy C:\data.txt D:\new`, `copy C:\data.txt D:\new`},
		{`C:\Program Files (x86)\new`, `C:\Program Files (x86)\new`},
		{`C:\data\new folder\test`, `C:\data\new folder\test`},
		{`Open C:\data and then go\nNext`, `Open C:\data and then go<n>Next`},
		{`type C:\data.txt \nbar`, `type C:\data.txt <n>bar`},
		{`del \"C:\data\new\" \nbar`, `del <">C:\data\new<"> <n>bar`},
		{`x:\n  - '\d'`, `x:<n>  - '\d'`},
		{`path:\new \d`, `path:<n>ew \d`},
		{`\\server\share\new`, `\\server\share\new`},
		{`\\?\C:\data\new`, `\\?\C:\data\new`},
		{`\\\\server\\share\new\d`, `<\><\>server<\>share\new\d`},
		{`C:\\Users\\data\new\d`, `C:<\>Users<\>data\new\d`},
		{`\\d+ \d`, `<\>d+ \d`},
		{`src\data\new`, `src\data\new`},
		{`src\new\data`, `src\new\data`},
		{`\bword\d+\b`, `\bword\d+\b`},
		{`\d+\/\d+ http:\/\/x`, `\d+\/\d+ http:</></>x`},
		{`import re\nre.match('\d+')\n`, `import re<n>re.match('\d+')<n>`},
		{`if x:\n\treturn '\d'\r\n`, `if x:<n><t>return '\d'<r><n>`},
		{`a\tb\n1\t\d`, `a<t>b<n>1<t>\d`},
		{`$\frac{\alpha}{\theta} \times \rho$`, `$\frac{\alpha}{\theta} \times \rho$`},
		{`\hline\nTotal`, `\hline<n>Total`},
		{`\section{A}\n\begin{b}`, `\section{A}<n>\begin{b}`},
		{`\033[0m\u001b[1m\e`, `\033[0m<u>001b[1m\e`},
		{`\users\u12`, `\users\u12`},
		{`\d \x41 \_a \'q\'`, `\d <x>41 <_>a <'>q<'>`},
		{`C:\x86\_a\d\'`, `C:\x86\_a\d\'`},
	} {
		if got := read(c.raw, backslash.JSON); got != c.want {
			t.Errorf("%s: got %s, want %s", c.raw, got, c.want)
		}
	}
}

func TestIsUnknown(t *testing.T) {
	for _, c := range []struct {
		raw          string
		json, python bool
	}{
		{`\d`, true, true}, {`\n`, false, false}, {`\"`, false, false}, {`\'`, false, false}, {`\/`, false, false}, {`\_`, false, true},
		{`\x41`, false, false}, {`\x4`, true, true}, {`\u00e9`, false, false}, {`\u12`, true, true}, {`\u{1F600}`, false, true}, {`\u{}`, true, true},
		{`\a`, true, false}, {`\101`, true, false}, {`\8`, true, true}, {`\U0001F600`, true, false}, {"\\\n", true, false}, {`\`, false, false},
	} {
		if got := backslash.IsUnknown(c.raw, 0, backslash.JSON); got != c.json || got != backslash.HasUnknown(`a\\`+c.raw, backslash.JSON) {
			t.Errorf("%s in JSON: got %t", c.raw, got)
		}
		if got := backslash.IsUnknown(c.raw, 0, backslash.Python); got != c.python {
			t.Errorf("%s in Python: got %t", c.raw, got)
		}
	}
}

func TestUnwrap(t *testing.T) {
	for raw, want := range map[string]string{
		`{\n\"a\":\"b\\c\q`:             "{\n" + `"a":"b\c\q`,
		`{\n\"a\":\"C:\data\new\"}\n`:   "{\n" + `"a":"C:\data\new"}` + "\n",
		`{\"a\":\"\\server\data\new\"}`: `{"a":"\\server\data\new"}`,
		`{\"a\":\"C:\new\"}\`:           `{"a":"C:` + "\n" + `ew"}\`,
	} {
		if got := backslash.Unwrap(raw, `n"\`, "\n\"\\"); got != want {
			t.Errorf("%s: got %s, want %s", raw, got, want)
		}
	}
}
