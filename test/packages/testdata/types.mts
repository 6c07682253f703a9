import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { CallwrightError, createFetch, parse, provider, start, type Note, type Report } from "callwright";

export async function use(): Promise<Note[]> {
  const gateway = await start({ config: { providers: { sim: {} } }, args: ["--log-level", "warn"] });
  const report: Report = await gateway.report("rep_1");
  const model = createOpenAICompatible(provider({ onReport: (summary) => console.log(summary.notes + 1) }))("sim/native");
  const parsed = await parse("text", { tools: [] });
  const fetchFromGateway: typeof fetch = createFetch();
  // @ts-expect-error: a configuration is a path or an object
  await start({ config: 1 });
  console.log(model, parsed.calls[0].name, fetchFromGateway, CallwrightError);
  await gateway.stop();
  return report.notes;
}
