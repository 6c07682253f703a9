package provider

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
)

// The functions in this file return messages about errors that a person must correct. Each message begins with the
// setting: its path in the configuration, or the name of the provider if there is no configuration file.

// at returns the beginning of a message about a setting: "providers.lab.base_url: ".
func (c *Config) at(setting string) string {
	if c.Path != "" {
		return c.Path + "." + setting + ": "
	}
	return "provider " + c.Name + ": "
}

// baseName returns the name of the setting base_url for a message.
func (c *Config) baseName() string {
	if c.Path != "" {
		return c.Path + ".base_url"
	}
	return "the base_url of the provider"
}

// unset returns the message for a setting whose environment variable is unset or empty, with the command that sets the
// variable. value is appended to the command.
func (c *Config) unset(setting, variable, value string) string {
	state := "not set"
	if _, there := c.lookup(variable); there {
		state = "empty"
	}
	return fmt.Sprintf("%s%s is %s: export %s=...%s", c.at(setting), variable, state, variable, value)
}

// refusedKey returns the message for an API key that the provider refused with the given status. It names the source of
// the key and contains no part of the key.
func (p *Provider) refusedKey(status int, key *targetKey) string {
	refused := ""
	if status != 0 {
		refused = fmt.Sprintf(" (status %d)", status)
	}
	who, variable := "provider "+p.cfg.Name, key.variable
	if p.cfg.Path != "" {
		who = p.cfg.at(key.place) + "the provider"
	}
	path, inFile := key.secret.File()
	switch {
	case p.cfg.Authorizer != nil:
		if p.cfg.Path != "" {
			who = p.cfg.Path + ": the provider"
		}
		return who + " does not accept the credentials of " + p.cfg.Authorizer.Describe() + refused + ": renew them, or extend their permissions"
	case inFile:
		return who + " does not accept the key in " + path + refused + ": write a valid key into the file"
	case key.secret.Empty():
		return who + " requires a key" + refused + ", but none is set: set it"
	case variable == "":
		return who + " does not accept the key" + refused + ": correct it"
	}
	return fmt.Sprintf("%s does not accept the key of %s%s: export %s=... with a valid key of %s", who, variable, refused,
		variable, p.cfg.Name)
}

// NothingListens returns the message for a refused connection to address, with the command that starts the server if
// the server is known.
func (p *Provider) NothingListens(address string) string {
	text := p.cfg.at("base_url") + "nothing listens at " + address
	server := p.Server()
	switch {
	case server.Start != "":
		text += " (" + server.Title + "): start it with `" + server.Start + "`"
		if p.engine().port != p.base.Port() {
			text += ", or correct the address"
		}
		return text
	case !isLoopback(p.base.Hostname()) && p.isShippedBase():
		return text + ": is it reachable from here?"
	}
	return text + ": start the server, or correct the address"
}

// proxyFailed reports whether err is a failed connection to a proxy that an environment variable configures.
func (p *Provider) proxyFailed(err error) bool {
	of, ok := errors.AsType[*net.OpError](err)
	if !ok || of.Op != "dial" && of.Op != "proxyconnect" || p.cfg.Transport != nil {
		return false
	}
	proxy, err := http.ProxyFromEnvironment(&http.Request{URL: p.base})
	return err == nil && proxy != nil
}

// noProxy returns the message for a proxy that cannot be reached.
func (p *Provider) noProxy() string {
	who, variable := "provider "+p.cfg.Name, strings.ToUpper(p.base.Scheme)+"_PROXY"
	if p.cfg.Path != "" {
		who = p.cfg.Path
	}
	return fmt.Sprintf("%s: the proxy in %s cannot be reached: start it, correct %s, or add the host of the provider to NO_PROXY",
		who, variable, variable)
}
