// What was said on a device's line can be held still to be read and copied; what comes meanwhile is kept by the house,
// as far back as it keeps any, and shown when the page goes on.

import { followAfresh } from "./follow.js";

function pause(button) {
  const place = button.closest(".frames");
  const stands = place.dataset.paused !== "yes";
  const note = place.querySelector("#frames-stand");
  if (stands) place.dataset.paused = "yes";
  else delete place.dataset.paused;
  button.setAttribute("aria-pressed", String(stands));
  button.textContent = stands ? button.dataset.resume : button.dataset.pause;
  note.textContent = stands ? note.dataset.stand : "";
  note.hidden = !stands;
  if (!stands) followAfresh();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("#frames-pause");
  if (button) pause(button);
});
