// The search: index.js has the sections of all pages and is read when the field is first used.
(() => {
  const up = document.body.dataset.up;
  const form = document.getElementById("search"), found = document.getElementById("found"), field = form.elements.q;
  const pages = document.querySelector("nav details");
  if (matchMedia("(max-width:50em)").matches) pages.open = false;
  let asked;
  const load = () => asked ??= new Promise((resolve) => {
    const script = document.createElement("script");
    script.src = up + "index.js";
    script.onload = resolve;
    document.head.append(script);
  });
  const rank = (s, words) => {
    let sum = 0;
    for (const w of words) {
      const inHeading = s.h.toLowerCase().includes(w), inPage = s.t.toLowerCase().includes(w), inText = s.x.toLowerCase().includes(w);
      if (!inHeading && !inPage && !inText) return 0;
      sum += (inHeading ? 8 : 0) + (inPage ? 4 : 0) + (inText ? 1 : 0);
    }
    return sum;
  };
  const show = async () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return void (found.hidden = true);
    await load();
    const hits = window.sections.map((s) => [rank(s, words), s]).filter(([r]) => r > 0).sort((a, b) => b[0] - a[0]).slice(0, 20);
    found.replaceChildren(...hits.map(([, s]) => {
      const li = document.createElement("li"), a = document.createElement("a"), where = document.createElement("small");
      a.href = up + s.p;
      const at = Math.max(0, s.x.toLowerCase().indexOf(words[0]) - 40);
      where.textContent = s.x.slice(at, at + 140);
      a.append(s.h === s.t ? s.t : s.t + ": " + s.h, where);
      li.append(a);
      return li;
    }));
    if (hits.length === 0) found.textContent = "No section has all of these words.";
    found.hidden = false;
  };
  field.addEventListener("input", show);
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    found.querySelector("a")?.click();
  });
  found.addEventListener("click", () => (found.hidden = true));
  document.addEventListener("keydown", (e) => {
    if (e.key === "/" && document.activeElement !== field) {
      e.preventDefault();
      field.focus();
    } else if (e.key === "Escape") found.hidden = true;
  });
})();
