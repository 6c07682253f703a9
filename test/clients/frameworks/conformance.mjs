// node --import conformance.mjs: lets the conformance suite of MCP run on Node 20, whose fs has no globSync yet. The suite calls it only where it
// sums up results of several runs.
import { register } from 'node:module';

const hooks = `
export const resolve = (specifier, context, next) => specifier === 'fs' && context.parentURL?.includes('/conformance/dist/')
  ? { url: 'callwright:fs', format: 'module', shortCircuit: true } : next(specifier, context);
export const load = (url, context, next) => url === 'callwright:fs'
  ? { format: 'module', shortCircuit: true, source: "export * from 'node:fs'; export const globSync = () => { throw new Error('globSync'); };" } : next(url, context);`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
