// Lets a running clock count down. Without this script it shows the time left when the page was made.
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

  function tick() {
    for (const clock of document.querySelectorAll("[data-left]")) {
      const gone = Math.max(0, Math.floor(Date.now() / 1000) - Number(clock.dataset.at));
      const left = Math.max(0, Number(clock.dataset.left) - gone);
      const words = lasting(left);
      if (clock.textContent !== words) clock.textContent = words;
    }
  }

  tick();
  setInterval(tick, 1000);
})();
