// SDKs of providers whose APIs are alike to OpenAI's. Their checks of answers are stricter than OpenAI's own SDK. A client is
// ({ base, model, stream, prompt, schema, look }) => the final text.
import { OpenRouter } from '@openrouter/sdk';
import { Mistral } from '@mistralai/mistralai';
import Groq from 'groq-sdk';

const key = 'any';
const maxTurns = 4;

// loop asks until no tool is called. ask gives { message, text, calls: [{ id, name, arguments }] }, result makes the message of a result.
async function loop({ prompt, look }, ask, result) {
  const messages = [{ role: 'user', content: prompt }];
  for (let i = 0; i < maxTurns; i++) {
    const { message, text, calls } = await ask(messages);
    messages.push(message);
    if (calls.length === 0) return text;
    for (const c of calls) {
      if (c.name !== 'get_weather') throw new Error(`a call of ${c.name}`);
      messages.push(result(c, look(typeof c.arguments === 'string' ? JSON.parse(c.arguments) : c.arguments)));
    }
  }
  throw new Error(`tools were called in each of ${maxTurns} turns`);
}

// merge adds the deltas of the calls of a stream, which have an index each.
function merge(calls, deltas) {
  for (const d of deltas ?? []) {
    const c = calls[d.index] ??= { id: '', type: 'function', function: { name: '', arguments: '' } };
    if (d.id) c.id = d.id;
    if (d.function?.name) c.function.name += d.function.name;
    c.function.arguments += typeof d.function?.arguments === 'object' ? JSON.stringify(d.function.arguments) : d.function?.arguments ?? '';
  }
}

const flat = (calls) => (calls ?? []).map((c) => ({ id: c.id, name: c.function.name, arguments: c.function.arguments }));
const tool = (schema) => ({ type: 'function', function: { name: 'get_weather', description: 'The weather in a city', parameters: schema } });

// read gathers the deltas of a stream into a message. toolCalls is the SDK's name of the member, of those that write names in their own way.
async function read(stream, toolCalls, delta) {
  const message = { role: 'assistant', content: '' };
  const calls = [];
  for await (const event of stream) {
    const d = delta(event);
    if (typeof d?.content === 'string') message.content += d.content;
    merge(calls, d?.[toolCalls]);
  }
  if (calls.length > 0) message[toolCalls] = calls;
  return message;
}

const openrouter = (check) => {
  const api = new OpenRouter({ apiKey: key, serverURL: `${check.base}/v1`, retryConfig: { strategy: 'none' } });
  return loop(check, async (messages) => {
    const got = await api.chat.send({ chatRequest: { model: check.model, messages, tools: [tool(check.schema)], stream: check.stream } });
    const message = check.stream ? await read(got, 'toolCalls', (e) => e.choices[0]?.delta) : got.choices[0].message;
    return { message, text: message.content, calls: flat(message.toolCalls) };
  }, (c, text) => ({ role: 'tool', toolCallId: c.id, content: text }));
};

// The SDK's client of the Responses API.
const openrouterResponses = async (check) => {
  const api = new OpenRouter({ apiKey: key, serverURL: `${check.base}/v1`, retryConfig: { strategy: 'none' } });
  const input = [{ type: 'message', role: 'user', content: check.prompt }];
  for (let i = 0; i < maxTurns; i++) {
    let got = await api.responses.send({ responsesRequest: {
      model: check.model, input, stream: check.stream,
      tools: [{ type: 'function', name: 'get_weather', description: 'The weather in a city', parameters: check.schema, strict: null }],
    } });
    if (check.stream) {
      let last;
      for await (const event of got) {
        if (event.isUnknown) throw new Error(`an event that the SDK does not know: ${JSON.stringify(event.raw)}`);
        if (event.type === 'response.completed') last = event.response;
      }
      got = last;
    }
    const calls = got.output.filter((o) => o.type === 'function_call');
    if (calls.length === 0) return got.output.filter((o) => o.type === 'message').flatMap((o) => o.content).map((c) => c.text).join('');
    input.push(...got.output);
    for (const c of calls) input.push({ type: 'function_call_output', callId: c.callId, output: check.look(JSON.parse(c.arguments)) });
  }
  throw new Error(`tools were called in each of ${maxTurns} turns`);
};

const mistral = (check) => {
  const api = new Mistral({ apiKey: key, serverURL: check.base, retryConfig: { strategy: 'none' } });
  return loop(check, async (messages) => {
    const request = { model: check.model, messages, tools: [tool(check.schema)] };
    const message = check.stream ? await read(await api.chat.stream(request), 'toolCalls', (e) => e.data.choices[0]?.delta)
      : (await api.chat.complete(request)).choices[0].message;
    return { message, text: message.content, calls: flat(message.toolCalls) };
  }, (c, text) => ({ role: 'tool', toolCallId: c.id, name: c.name, content: text }));
};

const groq = (check) => {
  const api = new Groq({ apiKey: key, baseURL: check.base, maxRetries: 0 });
  return loop(check, async (messages) => {
    const got = await api.chat.completions.create({ model: check.model, messages, tools: [tool(check.schema)], stream: check.stream });
    const message = check.stream ? await read(got, 'tool_calls', (e) => e.choices[0]?.delta) : got.choices[0].message;
    return { message, text: message.content, calls: flat(message.tool_calls) };
  }, (c, text) => ({ role: 'tool', tool_call_id: c.id, content: text }));
};

export const clients = { openrouter, 'openrouter-responses': openrouterResponses, mistral, groq };
