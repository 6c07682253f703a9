package classes_test

// known are the scenes none of whose runs ends right yet, by class and name, with the reason. A run that ends right fails the test.
var known = map[string]string{}
