// Draws the charts of the overview out of its table, which is their alternative as text: each column with a data-series is one, of the unit that it says.
(() => {
  "use strict";
  const plots = new Map(); // by the element that a chart is drawn in

  const color = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const units = {
    count: v => v.toLocaleString("en", {maximumFractionDigits: 1}),
    ms: v => v < 1000 ? Math.round(v) + " ms" : (v / 1000).toLocaleString("en", {maximumFractionDigits: 1}) + " s",
    usd: v => "$" + v.toLocaleString("en", {maximumSignificantDigits: 3}),
  };

  const whole = Array.from({length: 10}, (_, i) => [1, 2, 5].map(n => n * 10 ** i)).flat(); // steps of an axis that counts

  // table reads the columns by their names, and the times of the rows in seconds.
  function table() {
    const t = document.getElementById("series"), out = {times: [], columns: {}};
    if (!t) return null;
    const heads = [...t.tHead.rows[0].cells];
    for (const row of t.tBodies[0].rows) {
      out.times.push(Date.parse(row.cells[0].querySelector("time").dateTime) / 1000);
      heads.forEach((head, i) => {
        if (!head.dataset.series) return;
        const v = row.cells[i].dataset.value;
        (out.columns[head.dataset.series] ??= []).push(v === undefined ? null : Number(v));
      });
    }
    return out;
  }

  // stacked adds each column to those before it, the highest first.
  function stacked(columns) {
    const sums = [];
    for (const c of columns) sums.push(sums.length ? c.map((v, i) => v + sums.at(-1)[i]) : c);
    return sums.reverse();
  }

  // clock writes times as the page does: UTC, of a day its hours, of several days their dates.
  function clock(times, all) {
    const days = all.at(-1) - all[0] > 36 * 3600;
    return times.map(t => { const text = new Date(t * 1000).toISOString(); return days ? text.slice(5, 10) : text.slice(11, 16); });
  }

  function options(figure, names, raw, width) {
    const format = units[figure.dataset.unit], bars = figure.dataset.kind === "bars";
    const axis = {stroke: color("--soft"), font: "12px system-ui, sans-serif", grid: {stroke: color("--line"), width: 1}, ticks: {show: false}};
    return {
      width, height: 160, tzDate: t => uPlot.tzDate(new Date(t * 1000), "Etc/UTC"), cursor: {drag: {x: false, y: false}, points: {show: !bars}},
      scales: {x: {range: (u, min, max) => { const half = (u.data[0][1] - u.data[0][0]) / 2; return [min - half, max + half]; }}, y: {range: (_, min, max) => [0, max > 0 ? max * 1.05 : 1]}},
      axes: [{...axis, size: 28, grid: {show: false}, values: (u, list) => clock(list, u.data[0])}, {...axis, size: 64, ...(figure.dataset.unit === "count" ? {incrs: whole} : {}), values: (_, list) => list.map(v => v === null ? "" : format(v))}],
      series: [{label: "from", value: (u, t) => t === null ? "–" : clock([t], u.data[0])[0]}, ...names.map((name, i) => ({
        label: name, stroke: color("--series-" + name.replaceAll(" ", "-")), width: bars ? 0 : 2, points: {show: !bars, size: 4},
        ...(bars ? {fill: color("--series-" + name.replaceAll(" ", "-")), paths: uPlot.paths.bars({size: [0.8, 40], gap: 1})} : {}),
        value: (_, v, series, at) => at === null || raw[i][at] === null ? "–" : format(raw[i][at]),
      }))],
    };
  }

  function draw(figure, data) {
    const into = figure.querySelector(".plot"), names = figure.dataset.chart.split(",");
    let raw = names.map(name => data.columns[name] ?? []), drawn = raw;
    if (figure.dataset.kind === "bars") [drawn, raw] = [stacked(raw), raw.toReversed()];
    const shown = figure.dataset.kind === "bars" ? names.toReversed() : names;
    const before = plots.get(into);
    if (before) {
      before.raw.splice(0, before.raw.length, ...raw);
      before.plot.setData([data.times, ...drawn]);
      return;
    }
    const plot = new uPlot(options(figure, shown, raw, into.clientWidth), [data.times, ...drawn], into);
    plots.set(into, {plot, raw});
  }

  function drawAll() {
    const data = table();
    for (const [into, {plot}] of plots) {
      if (data && into.isConnected) continue;
      plot.destroy();
      plots.delete(into);
    }
    if (data) document.querySelectorAll("figure[data-chart]").forEach(figure => draw(figure, data));
  }

  function anew() {
    for (const {plot} of plots.values()) plot.destroy();
    plots.clear();
    drawAll();
  }

  drawAll();
  document.addEventListener("htmx:after:swap", drawAll);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", anew);
  addEventListener("resize", () => { for (const [into, {plot}] of plots) plot.setSize({width: into.clientWidth, height: 160}); });
})();
