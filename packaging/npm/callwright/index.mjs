import callwright from "./index.cjs";

export const { CallwrightError, Gateway, createFetch, fetch, parse, parseBatch, program, provider, start } = callwright;
