// Anthropic's SDK. A client is opened for a check and gives conversations; members of the check's request come last.
import patience from './patience.mjs';

export default ({ Anthropic }) => (check) => {
  const api = new Anthropic({ baseURL: check.base, apiKey: check.key, maxRetries: check.retries ?? 0, ...patience(check) });
  const tool = { name: 'get_weather', description: 'The weather in a city', input_schema: check.schema };
  const choices = { none: { type: 'none' }, required: { type: 'any' }, named: { type: 'tool', name: 'get_weather' } };

  const open = () => {
    const messages = [{ role: 'user', content: check.prompt }];
    const request = {
      model: check.model, max_tokens: 512, system: 'Be brief.', messages, tools: [tool],
      ...(check.choice && { tool_choice: choices[check.choice] }), ...check.members,
    };
    return {
      ask: async () => {
        let pieces = 0;
        const done = check.stream
          ? await api.messages.stream(request).on('text', () => pieces++).finalMessage()
          : await api.messages.create(request);
        messages.push({ role: done.role, content: done.content });
        return {
          text: done.content.filter((b) => b.type === 'text').map((b) => b.text).join(''), finish: done.stop_reason, pieces,
          calls: done.content.filter((b) => b.type === 'tool_use').map((b) => ({ id: b.id, name: b.name, arguments: JSON.stringify(b.input) })),
          usage: { input: done.usage?.input_tokens, output: done.usage?.output_tokens },
        };
      },
      tell: (results) => messages.push({
        role: 'user', content: results.map((r) => ({ type: 'tool_result', tool_use_id: r.id, content: r.text })),
      }),
    };
  };
  const send = (body) => api.post('/v1/messages', { body, headers: { 'content-type': 'application/json' } });
  return { open, send };
};
