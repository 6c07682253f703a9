package kit

// CloneAll replaces members by copies, all of them in one piece of memory. A nil member stays nil.
func CloneAll(members ...*[]byte) {
	size := 0
	for _, m := range members {
		size += len(*m)
	}
	room := make([]byte, 0, size)
	for _, m := range members {
		if *m != nil {
			from := len(room)
			room = append(room, *m...)
			*m = room[from:len(room):len(room)]
		}
	}
}
