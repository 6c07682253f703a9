package provider

// absent stands for a missing value, in programs that send nothing.
const absent = "missing"

// WithoutCredentials has a Provider made of a Config whose credentials, or the parts of whose address, are not there.
// Nothing can be sent to it.
func (c *Config) WithoutCredentials() {
	c.APIKey, c.Keys, c.Authorizer = NewSecret(absent), nil, nil
	for name, value := range c.Headers {
		if _, inFile := NewSecret(value).File(); inFile {
			c.Headers[name] = absent
		}
	}
	if c.Missing != nil {
		host := absent + ".invalid"
		c.Missing, c.Vars = nil, map[string]string{"region": absent, "project": absent, "location": absent, "endpoint": host,
			"resource": "https://" + host}
	}
}
