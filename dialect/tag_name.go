package dialect

// elementName is the name in a plain opening tag at the beginning of t, or empty.
func elementName(t string) string {
	i := 1
	for i < len(t) && isTagByte(t[i]) {
		i++
	}
	if i < len(t) && t[i] == '>' && t[0] == '<' {
		return t[1:i]
	}
	return ""
}

// suffixOf is what stands behind the name of an opening tag, from a colon on.
func suffixOf(tag string) string {
	name := elementName(tag)
	if base := unsuffixed(name); base != name {
		return name[len(base):]
	}
	return ""
}

// isTagHead reports whether t is the beginning of an opening tag and no more.
func isTagHead(t string) bool {
	for i := 1; i < len(t); i++ {
		if !isTagByte(t[i]) {
			return false
		}
	}
	return len(t) < maxToken
}

func isNameElement(name string) bool {
	switch name {
	case "tool_name", "name", "function_name":
		return true
	}
	return false
}

func isContainer(name string) bool {
	switch name {
	case "parameters", "arguments", "args", "params", "input", "tool_input":
		return true
	}
	return false
}
