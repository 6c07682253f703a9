package kit

import "testing"

func TestRepeat(t *testing.T) {
	const event = `{"i":0,"text":"abc","n":null}`
	for _, tt := range []struct{ what, name, data, want string }{
		{"the event itself", "delta", event, `"abc"`},
		{"another text", "delta", `{"i":0,"text":"\u00e9\n\"","n":null}`, `"\u00e9\n\""`},
		{"another name", "stop", event, ""},
		{"another member before", "delta", `{"i":1,"text":"abc","n":null}`, ""},
		{"another member after", "delta", `{"i":0,"text":"abc","n":true}`, ""},
		{"a member more", "delta", `{"i":0,"text":"abc","m":"d","n":null}`, ""},
		{"a number", "delta", `{"i":0,"text":12345,"n":null}`, ""},
		{"an empty text", "delta", `{"i":0,"text":"","n":null}`, ""},
		{"a broken text", "delta", `{"i":0,"text":"\x","n":null}`, ""},
		{"head and tail alone", "delta", `{"i":0,"text":,"n":null}`, ""},
		{"head and tail in one another", "delta", `{"i":0,"text":"`, ""},
	} {
		t.Run(tt.what, func(t *testing.T) {
			var r Repeat
			if got := r.Text(tt.name, []byte(tt.data)); got != nil {
				t.Errorf("an empty Repeat has the text %s", got)
			}
			data := []byte(event)
			r.Learn("delta", data, data[14:19])
			for i := range data {
				data[i] = '!' // it keeps nothing of what it was given
			}
			if got := string(r.Text(tt.name, []byte(tt.data))); got != tt.want {
				t.Errorf("the text is %s, expected %s", got, tt.want)
			}
			if r.Forget(); r.Text(tt.name, []byte(tt.data)) != nil {
				t.Error("it is not forgotten")
			}
		})
	}
}
