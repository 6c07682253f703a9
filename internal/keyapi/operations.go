package keyapi

import (
	"net/http"
	"reflect"

	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/keyring"
	"github.com/callwright/callwright/internal/ledger"
	"github.com/callwright/callwright/internal/openapi"
)

// Parameters in paths and queries of operations.
var (
	keyName   = openapi.Param{Name: "name", Says: "The name of the key.", Schema: openapi.Schema{Type: "string"}}
	groupName = openapi.Param{Name: "name", Says: "The name of the group.", Schema: openapi.Schema{Type: "string"}}
	one, most = 1.0, float64(maxEvents)
	highest   = float64(maxNumber)
	auditOf   = []openapi.Param{
		{Name: "kind", Says: "Only changes of keys, or only of groups.",
			Schema: openapi.Schema{Type: "string", Enum: []string{string(keyring.KeyKind), string(keyring.GroupKind)}}},
		{Name: "name", Says: "Only changes of this key or group.", Schema: openapi.Schema{Type: "string"}},
		{Name: "who", Says: "Only changes made by this key.", Schema: openapi.Schema{Type: "string"}},
		{Name: "from", Says: "Only changes at or after this time.", Schema: openapi.Schema{Type: "string", Format: "date-time"}},
		{Name: "to", Says: "Only changes before this time.", Schema: openapi.Schema{Type: "string", Format: "date-time"}},
		{Name: "before", Says: "Only changes before the change with this number.",
			Schema: openapi.Schema{Type: "integer", Minimum: &one, Maximum: &highest}},
		{Name: "limit", Says: "The maximum number of changes, the newest first; 100 if absent.",
			Schema: openapi.Schema{Type: "integer", Minimum: &one, Maximum: &most}},
	}
)

const admin = string(access.Admin)

// jsonAnswer returns the description of a response with a JSON body of type T.
func jsonAnswer[T any](status int, says string) []openapi.Answer {
	return []openapi.Answer{{Status: status, Says: says, Type: reflect.TypeFor[T]()}}
}

// routes are the operations of the API, except the usage table.
var routes = []route{
	{openapi.Operation{Method: http.MethodGet, Path: "/callwright/keys", ID: "listKeys", Tag: "Keys", Needs: admin,
		Says:    "All keys, without their secrets.",
		Answers: jsonAnswer[KeyList](200, "The keys.")}, (*API).listKeys},
	{openapi.Operation{Method: http.MethodPost, Path: "/callwright/keys", ID: "createKey", Tag: "Keys", Needs: admin,
		Says: "Creates a key. Only this response contains the secret.",
		Body: reflect.TypeFor[KeyRequest](), Answers: jsonAnswer[NewKey](201, "The key and its secret."),
		Fails: []int{400, 409, 413}}, (*API).createKey},
	{openapi.Operation{Method: http.MethodGet, Path: "/callwright/keys/{name}", ID: "getKey", Tag: "Keys", Needs: admin,
		Says: "A key with its usage.", Params: []openapi.Param{keyName},
		Answers: jsonAnswer[Key](200, "The key."), Fails: []int{404}}, (*API).showKey},
	{openapi.Operation{Method: http.MethodPatch, Path: "/callwright/keys/{name}", ID: "changeKey", Tag: "Keys", Needs: admin,
		Params: []openapi.Param{keyName},
		Says:   "Changes settings of a key, by a JSON Merge Patch (RFC 7396): null removes a setting.",
		Body:   reflect.TypeFor[keyring.Settings](), Patch: true, Answers: jsonAnswer[Key](200, "The changed key."),
		Fails: []int{400, 404, 409, 413}}, (*API).changeKey},
	{openapi.Operation{Method: http.MethodDelete, Path: "/callwright/keys/{name}", ID: "deleteKey", Tag: "Keys", Needs: admin,
		Says: "Removes a key.", Params: []openapi.Param{keyName},
		Answers: []openapi.Answer{{Status: 204, Says: "It was removed."}}, Fails: []int{404, 409}}, (*API).deleteKey},
	{openapi.Operation{Method: http.MethodPost, Path: "/callwright/keys/{name}/rotate", ID: "rotateKey", Tag: "Keys",
		Needs: admin, Params: []openapi.Param{keyName},
		Says: "Gives a key a new secret, which only this response contains. The previous secret stays valid for the time overlap.",
		Body: reflect.TypeFor[RotateRequest](), BodyOptional: true,
		Answers: jsonAnswer[NewKey](200, "The key and its new secret."), Fails: []int{400, 404, 409, 413}}, (*API).rotateKey},
	{openapi.Operation{Method: http.MethodGet, Path: "/callwright/groups", ID: "listGroups", Tag: "Groups", Needs: admin,
		Says:    "All groups of keys.",
		Answers: jsonAnswer[GroupList](200, "The groups.")}, (*API).listGroups},
	{openapi.Operation{Method: http.MethodPost, Path: "/callwright/groups", ID: "createGroup", Tag: "Groups", Needs: admin,
		Says: "Creates a group. Its keys share its limits.",
		Body: reflect.TypeFor[GroupRequest](), Answers: jsonAnswer[Group](201, "The group."), Fails: []int{400, 409, 413}}, (*API).createGroup},
	{openapi.Operation{Method: http.MethodGet, Path: "/callwright/groups/{name}", ID: "getGroup", Tag: "Groups", Needs: admin,
		Says: "A group with the usage of its keys.", Params: []openapi.Param{groupName},
		Answers: jsonAnswer[Group](200, "The group."), Fails: []int{404}}, (*API).showGroup},
	{openapi.Operation{Method: http.MethodPatch, Path: "/callwright/groups/{name}", ID: "changeGroup", Tag: "Groups",
		Needs: admin, Params: []openapi.Param{groupName},
		Says: "Changes settings of a group, by a JSON Merge Patch (RFC 7396): null removes a setting.",
		Body: reflect.TypeFor[keyring.GroupSettings](), Patch: true, Answers: jsonAnswer[Group](200, "The changed group."),
		Fails: []int{400, 404, 409, 413}}, (*API).changeGroup},
	{openapi.Operation{Method: http.MethodDelete, Path: "/callwright/groups/{name}", ID: "deleteGroup", Tag: "Groups",
		Needs: admin, Says: "Removes a group without keys.", Params: []openapi.Param{groupName},
		Answers: []openapi.Answer{{Status: 204, Says: "It was removed."}}, Fails: []int{404, 409}}, (*API).deleteGroup},
	{openapi.Operation{Method: http.MethodGet, Path: "/callwright/audit", ID: "getAudit", Tag: "Keys", Needs: admin,
		Says: "The changes of keys and groups, with author, time and values.", Params: auditOf,
		Answers: jsonAnswer[Audit](200, "The changes, the newest first."), Fails: []int{400}}, (*API).showAudit},
}

// Operations returns the descriptions of the operations, except the usage table, whose response is a ledger.Table.
func Operations() (out []openapi.Operation) {
	for _, rt := range routes {
		out = append(out, rt.Operation)
	}
	return out
}

// Enums returns the permitted values of string types.
func Enums() map[reflect.Type][]string {
	return map[reflect.Type][]string{
		reflect.TypeFor[Source]():       {string(FromState), string(FromConfiguration)},
		reflect.TypeFor[keyring.Kind](): {string(keyring.KeyKind), string(keyring.GroupKind)},
		reflect.TypeFor[keyring.Action](): {string(keyring.Created), string(keyring.Changed), string(keyring.Disabled),
			string(keyring.Enabled), string(keyring.Rotated), string(keyring.Deleted)},
		reflect.TypeFor[ledger.Column](): {string(ledger.ByKey), string(ledger.ByGroup), string(ledger.ByModel), string(ledger.ByDay)},
	}
}

// Refine adds limits to a schema that its Go type does not express.
func Refine(t reflect.Type, s *openapi.Schema) {
	one, most := 1.0, float64(maxNumber)
	switch t {
	case reflect.TypeFor[KeyRequest](), reflect.TypeFor[GroupRequest]():
		s.Properties.Find("name").Pattern = keyring.NamePattern
	case reflect.TypeFor[keyring.ModelBounds]():
		in := s.Properties.Find("models")
		in.MinLength, in.MaxLength = ptr(1), ptr(keyring.MaxPattern)
	case reflect.TypeFor[keyring.Spend]():
		s.Properties.Find("usd").Minimum, s.Properties.Find("usd").Maximum = ptr(keyring.MinUSD), ptr(keyring.MaxUSD)
		s.Properties.Find("per").Enum = []string{string(access.Day), string(access.Month)}
		s.Properties.Find("unpriced").Enum = []string{"refuse", "allow"}
	}
	for _, name := range []string{"requests_per_minute", "tokens_per_minute"} {
		if in := s.Properties.Find(name); in != nil {
			in.Minimum, in.Maximum = &one, &most // 0 would mean no limit, for which the member must be absent
		}
	}
	refineLists(s)
}

// refineLists adds the maximum lengths of lists and strings to a schema.
func refineLists(s *openapi.Schema) {
	for name, bounds := range map[string][2]int{"models": {keyring.MaxList, keyring.MaxPattern},
		"providers": {keyring.MaxList, keyring.MaxPattern}} {
		if in := s.Properties.Find(name); in != nil && in.Items != nil {
			in.MaxItems = &bounds[0]
			in.Items.MinLength, in.Items.MaxLength = ptr(1), &bounds[1]
		}
	}
	if in := s.Properties.Find("labels"); in != nil {
		in.MaxMembers = ptr(keyring.MaxLabels)
		in.Names = &openapi.Schema{MinLength: ptr(1), MaxLength: ptr(keyring.MaxLabel)}
		in.Additional = &openapi.Schema{Type: "string", MaxLength: ptr(keyring.MaxLabel)}
	}
	if in := s.Properties.Find("overlap"); in != nil {
		in.Pattern = "^[0-9]{1,4}[smh]$"
	}
	if in := s.Properties.Find("limits"); in != nil && in.Items != nil {
		in.MaxItems = ptr(keyring.MaxLimits)
	}
}

func ptr[T any](v T) *T { return &v }
