// OpenAI's SDK. A client is opened for a check and gives conversations; members of the check's request come last.
import patience from './patience.mjs';

export default ({ OpenAI }) => (check) => {
  const api = new OpenAI({ baseURL: `${check.base}/v1`, apiKey: check.key, maxRetries: check.retries ?? 0, ...patience(check) });
  const tool = { type: 'function', function: { name: 'get_weather', description: 'The weather in a city', parameters: check.schema } };
  const choices = { none: 'none', required: 'required', named: { type: 'function', function: { name: 'get_weather' } } };

  const open = () => {
    const messages = [{ role: 'system', content: 'Be brief.' }, { role: 'user', content: check.prompt }];
    const request = {
      model: check.model, messages, tools: [tool],
      ...(check.choice && { tool_choice: choices[check.choice] }), ...check.members,
    };
    return {
      ask: async () => {
        let pieces = 0;
        const done = check.stream
          ? await api.chat.completions.stream({ ...request, stream_options: { include_usage: true } })
            .on('content', () => pieces++).finalChatCompletion()
          : await api.chat.completions.create(request);
        const { message, finish_reason: finish } = done.choices[0];
        messages.push(message);
        return {
          text: message.content ?? '', finish, pieces,
          calls: (message.tool_calls ?? []).map((c) => ({ id: c.id, name: c.function.name, arguments: c.function.arguments })),
          usage: { input: done.usage?.prompt_tokens, output: done.usage?.completion_tokens, total: done.usage?.total_tokens },
        };
      },
      tell: (results) => messages.push(...results.map((r) => ({ role: 'tool', tool_call_id: r.id, content: r.text }))),
    };
  };
  const send = (body) => api.post('/chat/completions', { body, headers: { 'content-type': 'application/json' } });
  return { open, send };
};
