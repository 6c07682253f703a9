// Copies the text of the element that a button names by data-copy, and says so in the button.
(() => {
  "use strict";
  const say = (button, text) => {
    const own = button.dataset.own || (button.dataset.own = button.textContent);
    button.textContent = text;
    setTimeout(() => { button.textContent = own; }, 2000);
  };
  const select = from => {
    const range = document.createRange();
    range.selectNodeContents(from);
    const selection = window.getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
  };
  document.addEventListener("click", async event => {
    const button = event.target.closest("[data-copy]");
    const from = button && document.getElementById(button.dataset.copy);
    if (!from) return;
    try {
      await navigator.clipboard.writeText(from.textContent);
      say(button, "Copied");
    } catch {
      select(from); // the page is not of this machine: browsers keep it from the clipboard
      say(button, "Selected: copy it");
    }
  });
})();
