// Package backslash decides how the backslashes of a string are read that was never escaped.
//
// A model that writes a path, a regular expression or LaTeX into a string of JSON or Python often leaves its
// backslashes as they are. Such a string is known by an escape that the language does not have, \d in JSON: see
// [IsUnknown]. Its other backslashes look like escapes by chance only, and a [Reader] tells which of them are text:
//
//   - \b and \f, always, \a and \v of Python before a letter, and unknown escapes, such as \u without four digits;
//   - \n, \r and \t in a path that begins with a drive or with \\server\share, and between letters of a word that has an unknown escape, as
//     in src\data\new; \r and \t also where a command of LaTeX is the likely reading, as in $x \times y$;
//   - two backslashes at the beginning of \\server\share; elsewhere they are one;
//   - \/ in such a path or word, and there also the escapes that JSON lacks but IsUnknown takes for known, such as \x41;
//   - those that Python has and JSON lacks, such as \101, in such a path.
//
// All others are read as the language says, line ends above all. No path and no word has both readings.
package backslash
