// In the mailroom: a suggested answer goes straight into the form, Ctrl+Enter sends it.
"use strict";

(() => {
  const field = document.getElementById("words");
  if (!field) return;

  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-words]");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    field.value = link.dataset.words;
    field.focus();
  });

  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) field.form.requestSubmit();
  });

  // Two clicks are one mail; back in the browser's memory the form is usable again.
  field.form.addEventListener("submit", () => setTimeout(() => { field.form.querySelector("button").disabled = true; }));
  addEventListener("pageshow", () => { field.form.querySelector("button").disabled = false; });
})();
