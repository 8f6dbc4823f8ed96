// Copies the link of a study. Without this script it is copied from its field.
"use strict";

(() => {
  const button = document.querySelector("[data-copy]");
  button.hidden = false;
  button.addEventListener("click", async () => {
    const field = document.getElementById("link");
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      document.execCommand("copy"); // where a page without TLS may not write to the clipboard
    }
    document.querySelector("[data-copied]").textContent = "The link is copied.";
  });
})();
