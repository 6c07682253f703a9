// Says that the gateway does not answer while a page that is kept up to date asks it.
(() => {
  "use strict";
  const say = away => { document.getElementById("away").hidden = !away; };
  document.addEventListener("htmx:error", () => say(true));
  document.addEventListener("htmx:after:request", () => say(false));
})();
