package schema

// A shape is the required type of a keyword's value in a schema.
type shape uint8

const (
	oneSchema     shape = iota // a schema
	schemaOrList               // a schema or an array of schemas
	schemaList                 // a non-empty array of schemas
	schemaMap                  // an object whose values are schemas
	patternMap                 // an object of schemas by regular expression
	mixedMap                   // an object whose values are schemas or arrays of names
	typeNames                  // a type name or an array of type names
	nameList                   // an array of names
	nameLists                  // an object whose values are arrays of names
	anyNumber                  // a number
	aboveZero                  // a positive number
	count                      // a non-negative integer
	flag                       // a boolean
	pattern                    // a regular expression
	text                       // a string
	valueList                  // an array of any values
	anyValue                   // any value
	reference                  // a schema reference
	foreignSchema              // a schema of a keyword that only the complete validator supports
	foreignRef                 // a reference that only the complete validator can resolve
)

// A keyword is defined in the drafts from since to until. In other drafts it is ignored.
type keyword struct {
	name         string
	shape        shape
	since, until int
}

const everDraft = 9999

// keywordTable lists every keyword that is validated or has subschemas. All other keywords are ignored.
var keywordTable = []keyword{
	{"type", typeNames, 0, everDraft},
	{"enum", valueList, 0, everDraft},
	{"const", anyValue, 6, everDraft},
	{"multipleOf", aboveZero, 0, everDraft},
	{"minimum", anyNumber, 0, everDraft},
	{"maximum", anyNumber, 0, everDraft},
	{"exclusiveMinimum", anyNumber, 6, everDraft},
	{"exclusiveMaximum", anyNumber, 6, everDraft},
	{"minLength", count, 0, everDraft},
	{"maxLength", count, 0, everDraft},
	{"pattern", pattern, 0, everDraft},
	{"format", text, 0, everDraft},
	{"minItems", count, 0, everDraft},
	{"maxItems", count, 0, everDraft},
	{"uniqueItems", flag, 0, everDraft},
	{"items", oneSchema, 2020, everDraft},
	{"items", schemaOrList, 0, 2019},
	{"prefixItems", schemaList, 2020, everDraft},
	{"additionalItems", oneSchema, 0, 2019},
	{"contains", oneSchema, 6, everDraft},
	{"minContains", count, 2019, everDraft},
	{"maxContains", count, 2019, everDraft},
	{"minProperties", count, 0, everDraft},
	{"maxProperties", count, 0, everDraft},
	{"required", nameList, 0, everDraft},
	{"properties", schemaMap, 0, everDraft},
	{"patternProperties", patternMap, 0, everDraft},
	{"additionalProperties", oneSchema, 0, everDraft},
	{"propertyNames", oneSchema, 6, everDraft},
	{"dependentRequired", nameLists, 2019, everDraft},
	{"dependentSchemas", schemaMap, 2019, everDraft},
	{"dependencies", mixedMap, 0, 7},
	{"allOf", schemaList, 0, everDraft},
	{"anyOf", schemaList, 0, everDraft},
	{"oneOf", schemaList, 0, everDraft},
	{"not", oneSchema, 0, everDraft},
	{"if", oneSchema, 7, everDraft},
	{"then", oneSchema, 7, everDraft},
	{"else", oneSchema, 7, everDraft},
	{"$ref", reference, 0, everDraft},
	{"$defs", schemaMap, 0, everDraft},
	{"definitions", schemaMap, 0, everDraft},
	{"unevaluatedProperties", foreignSchema, 2019, everDraft},
	{"unevaluatedItems", foreignSchema, 2019, everDraft},
	{"$dynamicRef", foreignRef, 2020, everDraft},
	{"$recursiveRef", foreignRef, 2019, 2019},
}

// keywordsOf returns the keywords of a draft with the shapes of their values.
func keywordsOf(draft int) map[string]shape {
	known := make(map[string]shape, len(keywordTable))
	for _, k := range keywordTable {
		if k.since <= draft && draft <= k.until {
			known[k.name] = k.shape
		}
	}
	return known
}

// keywordShapes has the keywords of each draft.
var keywordShapes = map[int]map[string]shape{
	4: keywordsOf(4), 6: keywordsOf(6), 7: keywordsOf(7), 2019: keywordsOf(2019), 2020: keywordsOf(2020),
}

// typeReadings maps lower-case type names that are not JSON Schema types to the JSON Schema type. "" means any type.
var typeReadings = map[string]string{
	"str": "string", "text": "string", "varchar": "string", "char": "string", "character": "string", "string": "string",
	"int": "integer", "int8": "integer", "int16": "integer", "int32": "integer", "int64": "integer", "integer": "integer",
	"uint": "integer", "uint8": "integer", "uint16": "integer", "uint32": "integer", "uint64": "integer",
	"long": "integer", "short": "integer", "byte": "integer", "bigint": "integer",
	"float": "number", "float32": "number", "float64": "number", "double": "number", "decimal": "number", "number": "number",
	"bool": "boolean", "boolean": "boolean",
	"list": "array", "arr": "array", "tuple": "array", "set": "array", "arraylist": "array", "vector": "array", "array": "array",
	"dict": "object", "dictionary": "object", "map": "object", "hashmap": "object", "hashtable": "object", "object": "object",
	"struct": "object",
	"none":   "null", "nonetype": "null", "nil": "null", "null": "null",
	"any": "", "mixed": "", "type_unspecified": "",
}
