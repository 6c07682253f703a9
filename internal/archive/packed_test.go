package archive

import (
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/callwright/callwright"
)

// A report that is packed comes back with each of its members, also those that are added to the structs later: the values are drawn by reflection.
// What cannot be packed is said.
func TestPacked(t *testing.T) {
	drawn, packedOnes := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		drawn++
		want := &Report{Report: &callwright.Report{}}
		fill(rt, reflect.ValueOf(want).Elem(), "report")
		if rapid.Float64Range(0, 1).Draw(rt, "plain") < 0.8 {
			makePlain(rt, want)
		}
		p, fits := pack(want)
		if !fits {
			if isPlain(want) {
				rt.Fatalf("%+v is not packed", want)
			}
			return
		}
		packedOnes++
		if got := p.unpack(); !cmp.Equal(want, got, sameTime) || got.Key() != want.Key() || p.key() != want.Key() {
			rt.Fatalf("(-want +got)\n%s", cmp.Diff(want, got, sameTime))
		}
	})
	if packedOnes*5 < drawn {
		t.Errorf("%d of %d reports were packed", packedOnes, drawn)
	}
}

// sameTime compares times with their zones, as a page shows them.
var sameTime = cmp.Comparer(func(a, b time.Time) bool { return a.Equal(b) && a.Location() == b.Location() })

// isPlain states again which reports are to be packed.
func isPlain(r *Report) bool {
	list := append([]callwright.Attempt{{}}, r.Report.Attempts...)
	for _, a := range list {
		if a.Usage.Extra.JSON != nil || a.Began.Location() == elsewhere {
			return false
		}
	}
	return len(r.Report.Notes)+len(r.Report.Invalid) == 0 && len(list) <= 2 && r.Time.Location() != elsewhere
}

var elsewhere = time.FixedZone("elsewhere", 3600)

// makePlain leaves out of a report that cannot be packed the members by which it cannot.
func makePlain(rt *rapid.T, r *Report) {
	rep := r.Report
	rep.Notes, rep.Invalid = rep.Notes[:0], rep.Invalid[:0]
	rep.Attempts = rep.Attempts[:min(len(rep.Attempts), 1)]
	r.Time = drawTime(rt, "time", time.UTC, time.Local)
	for i := range rep.Attempts {
		rep.Attempts[i].Began, rep.Attempts[i].Usage.Extra.JSON = drawTime(rt, "began", time.UTC, time.Local), nil
	}
}

func drawTime(rt *rapid.T, label string, zones ...*time.Location) time.Time {
	if rapid.Bool().Draw(rt, label+"-zero") {
		return time.Time{}
	}
	return time.Unix(rapid.Int64Range(-1e11, 1e11).Draw(rt, label), rapid.Int64Range(0, 1e9-1).Draw(rt, label+"-ns")).In(rapid.SampledFrom(zones).Draw(rt, label+"-zone"))
}

// fill draws a value for each field.
func fill(rt *rapid.T, v reflect.Value, label string) {
	if v.Type() == reflect.TypeFor[time.Time]() {
		v.Set(reflect.ValueOf(drawTime(rt, label, time.UTC, time.Local, elsewhere)))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(rt, v.Field(i), label+"."+v.Type().Field(i).Name)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(rt, v.Elem(), label)
	case reflect.Slice:
		n := rapid.IntRange(-1, 2).Draw(rt, label)
		if n < 0 {
			v.SetZero()
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			fill(rt, v.Index(i), label)
		}
	case reflect.String:
		v.SetString(rapid.OneOf(rapid.Just(""), rapid.String()).Draw(rt, label))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(rt, label))
	case reflect.Float64:
		v.SetFloat(rapid.Float64().Draw(rt, label))
	case reflect.Int, reflect.Int64:
		v.SetInt(rapid.Int64().Draw(rt, label))
	case reflect.Uint8:
		v.SetUint(uint64(rapid.Byte().Draw(rt, label)))
	default:
		rt.Fatalf("%s: a %s is not drawn", label, v.Kind())
	}
}
