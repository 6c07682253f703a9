package schema

// A shape is the required type of a keyword's value.
type shape uint8

const (
	oneSchema     shape = iota // a schema
	schemaOrList               // a schema or a list of them
	schemaList                 // a list of schemas, not empty
	schemaMap                  // schemas by name
	patternMap                 // schemas by pattern
	mixedMap                   // schemas or lists of names, by name
	typeNames                  // a type or a list of them
	nameList                   // a list of names
	nameLists                  // lists of names by name
	anyNumber                  // a number
	aboveZero                  // a number above zero
	count                      // an integer from zero on
	flag                       // true or false
	pattern                    // a regular expression
	text                       // a string
	valueList                  // a list of any values
	anyValue                   // any value
	reference                  // the address of a schema
	foreignSchema              // a schema under a keyword that only the complete validator knows
	foreignRef                 // an address of a schema that only the complete validator can follow
)

// A keyword is known from draft since to draft until; outside, it is an annotation.
type keyword struct {
	name         string
	shape        shape
	since, until int
}

const everDraft = 9999

// keywordTable holds every keyword that is checked or that leads to further schemas. All others are annotations.
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

// keywordsOf returns the keywords of a draft by name.
func keywordsOf(draft int) map[string]shape {
	known := make(map[string]shape, len(keywordTable))
	for _, k := range keywordTable {
		if k.since <= draft && draft <= k.until {
			known[k.name] = k.shape
		}
	}
	return known
}

// keywordShapes has a draft's keywords ready.
var keywordShapes = map[int]map[string]shape{
	4: keywordsOf(4), 6: keywordsOf(6), 7: keywordsOf(7), 2019: keywordsOf(2019), 2020: keywordsOf(2020),
}

// typeReadings maps names of types that are no JSON Schema types, in lower case, to their JSON Schema type. The empty
// string allows any type.
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
