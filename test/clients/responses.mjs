// OpenAI's SDK with the Responses API. A client is opened for a check and gives conversations; members of the check's request
// come last.
import patience from './patience.mjs';

export default ({ OpenAI }) => (check) => {
  const api = new OpenAI({ baseURL: `${check.base}/v1`, apiKey: check.key, maxRetries: check.retries ?? 0, ...patience(check) });
  const tool = { type: 'function', name: 'get_weather', description: 'The weather in a city', parameters: check.schema, strict: false };
  const choices = { none: 'none', required: 'required', named: { type: 'function', name: 'get_weather' } };

  const open = () => {
    const input = [{ role: 'user', content: check.prompt }];
    const request = {
      model: check.model, instructions: 'Be brief.', input, tools: [tool], store: false,
      ...(check.choice && { tool_choice: choices[check.choice] }), ...check.members,
    };
    return {
      ask: async () => {
        let pieces = 0;
        const done = check.stream
          ? await api.responses.stream(request).on('response.output_text.delta', () => pieces++).finalResponse()
          : await api.responses.create(request);
        input.push(...done.output);
        const calls = done.output.filter((item) => item.type === 'function_call');
        return {
          text: done.output_text ?? '', finish: done.status, pieces,
          calls: calls.map((c) => ({ id: c.call_id, name: c.name, arguments: c.arguments })),
          usage: { input: done.usage?.input_tokens, output: done.usage?.output_tokens, total: done.usage?.total_tokens },
        };
      },
      tell: (results) => input.push(...results.map((r) => ({ type: 'function_call_output', call_id: r.id, output: r.text }))),
    };
  };
  const send = (body) => api.post('/responses', { body, headers: { 'content-type': 'application/json' } });
  return { open, send };
};
