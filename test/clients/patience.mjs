// patience gives the options that bound the time of an SDK: 20 seconds to the head of an answer, or the limit of the check in
// milliseconds, which bounds the silence in a body too; Node's own bound is 5 minutes. A negative limit leaves the SDK its own.
await fetch('data:,'); // Node makes the dispatcher at the first request
const { constructor: Dispatcher } = globalThis[Symbol.for('undici.globalDispatcher.1')];

export default ({ limit }) => {
  if (limit < 0) return {};
  if (limit === undefined) return { timeout: 20_000 };
  return { timeout: limit, fetchOptions: { dispatcher: new Dispatcher({ headersTimeout: limit, bodyTimeout: limit }) } };
};
