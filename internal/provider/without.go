package provider

// absent replaces missing values in programs that send nothing.
const absent = "missing"

// WithoutCredentials sets placeholders for missing credentials and for missing variables of the address. It permits
// [New], but requests to the Provider fail.
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
