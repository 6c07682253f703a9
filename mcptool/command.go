package mcptool

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// assignment matches an environment variable in front of a command, such as "TOKEN=".
var assignment = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)

// ParseCommand parses the one-line notation of a server: an http or https URL, or a command with arguments. The command
// is split and unquoted like in a POSIX shell, and may follow variables such as "TOKEN=abc". Nothing is expanded.
func ParseCommand(line string) (Config, error) {
	line = strings.TrimSpace(line)
	if strings.HasPrefix(line, "http://") || strings.HasPrefix(line, "https://") {
		return Config{URL: line}, checkURL(line)
	}
	words, err := splitWords(line)
	if err != nil {
		return Config{}, err
	}
	var c Config
	for len(words) > 0 && assignment.MatchString(words[0]) {
		c.Env = append(c.Env, words[0])
		words = words[1:]
	}
	if len(words) == 0 {
		return Config{}, fmt.Errorf("expected a command or a URL, got %q", line)
	}
	c.Command = words
	return c, nil
}

// A splitter splits a command line into words like a POSIX shell.
type splitter struct {
	rest   string
	word   strings.Builder
	inWord bool // also set for an empty pair of quotes
	words  []string
}

func splitWords(line string) ([]string, error) {
	s := splitter{rest: line}
	for s.rest != "" {
		c := s.rest[0]
		s.rest = s.rest[1:]
		var err error
		switch c {
		case ' ', '\t', '\r', '\n':
			s.end()
			continue
		case '\'':
			err = s.single()
		case '"':
			err = s.double()
		case '\\':
			err = s.readEscape("")
		default:
			s.word.WriteByte(c)
		}
		if err != nil {
			return nil, err
		}
		s.inWord = true
	}
	s.end()
	return s.words, nil
}

func (s *splitter) end() {
	if s.inWord {
		s.words = append(s.words, s.word.String())
		s.word.Reset()
		s.inWord = false
	}
}

func (s *splitter) single() error {
	text, rest, ok := strings.Cut(s.rest, "'")
	if !ok {
		return errors.New("expected a closing ', got the end of the command")
	}
	s.word.WriteString(text)
	s.rest = rest
	return nil
}

func (s *splitter) double() error {
	for s.rest != "" {
		c := s.rest[0]
		s.rest = s.rest[1:]
		switch c {
		case '"':
			return nil
		case '\\':
			if err := s.readEscape("\"\\$`"); err != nil {
				return err
			}
		default:
			s.word.WriteByte(c)
		}
	}
	return errors.New(`expected a closing ", got the end of the command`)
}

// readEscape reads the character after a backslash. only lists the characters that can be escaped; in front of any
// other character the backslash is kept.
func (s *splitter) readEscape(only string) error {
	if s.rest == "" {
		return errors.New(`expected a character after \, got the end of the command`)
	}
	c := s.rest[0]
	s.rest = s.rest[1:]
	if only != "" && strings.IndexByte(only, c) < 0 {
		s.word.WriteByte('\\')
	}
	s.word.WriteByte(c)
	return nil
}
