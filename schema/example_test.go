package schema_test

import (
	"fmt"
	"strings"

	"github.com/callwright/callwright/schema"
)

func split(path string) []string { return strings.Split(path, "/") }

const forecast = `{"type":"object","required":["city","days"],"properties":{
	"city":{"type":"string"},"days":{"type":"integer","maximum":14},"unit":{"enum":["celsius","fahrenheit"]}}}`

func ExampleCompile() {
	s, err := schema.Compile([]byte(forecast))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, v := range s.Validate([]byte(`{"city":"Oslo","days":30,"unit":"kelvin"}`)) {
		fmt.Println(v)
	}
	_, err = schema.Compile([]byte(`{"properties":{"days":{"minimum":"1"}}}`))
	fmt.Println(err)
	// Output:
	// /days: want a number not above 14, got integer 30
	// /unit: want one of "celsius", "fahrenheit", got string "kelvin"
	// schema: at /properties/days/minimum: want a number, got "1"
}

func ExampleCache() {
	cache := schema.NewCache(100)
	first, _ := cache.Compile([]byte(forecast))
	again, _ := cache.Compile([]byte(forecast))
	fmt.Println(first == again)
	// Output: true
}

func ExampleSchema_Coerce() {
	s, err := schema.Compile([]byte(forecast))
	if err != nil {
		fmt.Println(err)
		return
	}
	out, changes := s.Coerce([]byte(`{"city": "Oslo", "days": "3", "unit": "Celsius"}`), schema.Options{})
	fmt.Println(string(out))
	for _, c := range changes {
		fmt.Println(c.Path, c.Rule, c.Was, "->", c.Now)
	}
	// Output:
	// {"city": "Oslo", "days": 3, "unit": "celsius"}
	// /days string_to_integer "3" -> 3
	// /unit enum_case "Celsius" -> "celsius"
}

func ExampleSchema_FromText() {
	s, err := schema.Compile([]byte(forecast))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s %s\n", s.FromText([]string{"city"}, "1770", schema.Literal), s.FromText([]string{"days"}, "7", schema.Literal))
	// Output: "1770" 7
}
