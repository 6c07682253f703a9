// Package edit is a session in which a person and a model edit a JSON document.
//
// The document is the draft of a [workspace.State]; [Run] takes lines of the person, each a message to the model or a
// command such as ":undo", and shows their results on a [Screen]. The model works with the tools of package statetool
// alone.
//
// # Files
//
// Below the folder of the state, workspaces has the versions of the document by package filestore, and edits the rest:
// the runs of the model, and for each workspace ID.chat.json (the run of the continued conversation) and ID.file.json
// (the content of the person's file when it was last equal to the draft). A version is on disk before the person's file
// is written, and that before anything is shown. Whenever a process is killed, the next session finds the shown
// version, and tells a file that it wrote itself from one that another program has changed.
//
// Sessions of several processes may be open on one document: all edit one workspace, and each shows the changes of the
// others. The first one continues the conversation; those of the others end with them.
package edit
