// Lets a running clock count down, by the server's time: this machine's may be wrong. Without this script
// it shows the time left when the page was made.
"use strict";

(() => {
  const units = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];

  // As the server tells it: of three hours or more, one that lacks five minutes at most is whole.
  const FRESH = 5 * 60;

  function lasting(seconds) {
    const lacks = (3600 - seconds % 3600) % 3600;
    if (seconds >= 3 * 3600 && lacks <= FRESH) seconds += lacks;
    const found = [];
    for (const [name, size] of units) {
      const number = Math.floor(seconds / size);
      seconds -= number * size;
      if (number || found.length) found.push([number, name]);
      if (found.length === 2) break;
    }
    const told = found.filter(([number]) => number).map(([number, name]) => `${number} ${name}${number === 1 ? "" : "s"}`);
    return told.join(" and ") || "no time left";
  }

  let ahead = 0; // milliseconds by which this machine is ahead of the server

  async function compare() {
    try {
      const answer = await fetch("/now", { cache: "no-store" });
      ahead = Date.now() - Date.parse(await answer.text()) || 0;
    } catch { /* nobody to ask: then by the time here */ }
    tick();
  }

  function tick() {
    for (const clock of document.querySelectorAll("[data-left]")) {
      const gone = Math.max(0, Math.floor((Date.now() - ahead) / 1000) - Number(clock.dataset.at));
      const left = Math.max(0, Number(clock.dataset.left) - gone);
      const words = lasting(left);
      if (clock.textContent !== words) clock.textContent = words;
    }
  }

  compare();
  setInterval(tick, 1000);
  new MutationObserver(tick).observe(document.getElementById("main"), { childList: true, subtree: true }); // other plies
})();
