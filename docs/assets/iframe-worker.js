// Browsers refuse workers for pages that were opened from a folder (file://); an invisible frame runs the search there.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.srcdoc = `<script>
        window.postMessage = (data) => parent.dispatchEvent(new MessageEvent("frame-worker", { data }));
        window.importScripts = () => {};
      </script><script src="${new URL(url, location)}"></script>`;
      window.addEventListener("frame-worker", ({ data }) => {
        const event = new MessageEvent("message", { data });
        this.dispatchEvent(event);
        this.onmessage?.(event);
      });
      this.frame.addEventListener("load", () => {
        this.waiting.forEach((data) => this.send(data));
        this.waiting = null;
      });
      document.addEventListener("DOMContentLoaded", () => document.body.append(this.frame));
      if (document.readyState !== "loading") document.body.append(this.frame);
    }

    postMessage(data) {
      if (this.waiting) this.waiting.push(data);
      else this.send(data);
    }

    send(data) {
      this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
    }

    terminate() {
      this.frame.remove();
    }
  };
}
