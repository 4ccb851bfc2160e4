"use strict";

async function show() {
  const response = await fetch("objects");
  document.getElementById("objects").textContent = JSON.stringify(await response.json(), null, 2);
}

void show();
