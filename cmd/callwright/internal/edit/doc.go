// Package edit is a session in which a person and a model edit a JSON document.
//
// The document is the draft of a [workspace.State]; [Run] takes lines of the person, each a message to the model or a command such as ":undo", and shows
// on a [Screen] what comes of them. The model works with the tools of package statetool alone.
//
// # What is kept
//
// Below the folder of the state, workspaces has the versions of the document by package filestore, and edits the rest: the runs of the model, and for each
// workspace ID.chat.json (the run whose conversation is gone on with) and ID.file.json (what the person's file had when it was last the same as the draft). A
// version is on disk before the person's file is written, and that before anything is shown; so whatever is killed when, the next session finds what was
// shown, and knows a file that it wrote itself from one that another program has changed.
//
// Sessions of several processes may be open on one document: all edit one workspace, and each shows what the others do. The first one goes on with the conversation; those of
// the others end with them.
package edit
