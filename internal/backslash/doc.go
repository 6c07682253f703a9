// Package backslash decides which backslashes are text in a string that should have been escaped but was not.
//
// A model that writes a path, a regular expression or LaTeX into a JSON or Python string often does not escape its
// backslashes. Such a string is detected by an escape that is invalid in the language, such as \d in JSON: see
// [IsUnknown]. The string may also contain backslashes that form valid escapes only by chance. A [Reader] treats these
// backslashes as text:
//
//   - \b and \f always, \a and \v of Python before a letter, and invalid escapes, such as \u without four digits;
//   - \n, \r and \t in a path that begins with a drive letter or with \\server\share, and between letters of a word
//     with an invalid escape, as in src\data\new; \r and \t also if a LaTeX command is likely, as in $x \times y$;
//   - two backslashes at the beginning of \\server\share; elsewhere they are one escaped backslash;
//   - \/ in such a path or word, and in these also escapes that JSON lacks but IsUnknown accepts, such as \x41;
//   - escapes that Python has and JSON lacks, such as \101, in such a path.
//
// All other escapes are interpreted by the rules of the language, in particular line breaks. Within one path or word,
// either all ambiguous backslashes are text or none is.
package backslash
