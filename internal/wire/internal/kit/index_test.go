package kit

import "testing"

func TestSameBut(t *testing.T) {
	const came = `{"a":{"model":"x"}, "model" : "m1" ,"b":[1,2]}`
	for _, tt := range []struct {
		name, came, body string
		want             bool
	}{
		{"itself", came, came, true},
		{"another value", came, `{"a":{"model":"x"}, "model" : "a longer one" ,"b":[1,2]}`, true},
		{"the member inside another", came, `{"a":{"model":"y"}, "model" : "m1" ,"b":[1,2]}`, false},
		{"something after it", came, `{"a":{"model":"x"}, "model" : "m1" ,"b":[1,3]}`, false},
		{"a member added behind the value", came, `{"a":{"model":"x"}, "model" : "m1","c":1 ,"b":[1,2]}`, false},
		{"cut", came, `{"a":{"model":"x"}`, false},
		{"empty", came, ``, false},
		{"without the member, itself", `{"a":1}`, `{"a":1}`, true},
		{"without the member, with it", `{"a":1}`, `{"a":1,"model":"m"}`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := indexOf([]byte(tt.came), 0)
			if got := x.SameBut("model", []byte(tt.body)); got != tt.want {
				t.Errorf("SameBut is %v, expected %v\n%s\n%s", got, tt.want, tt.came, tt.body)
			}
		})
	}
}
