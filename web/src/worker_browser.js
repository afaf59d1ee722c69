// The browser's worker, as the runner wants it.

export function browserWorker(url) {
  const worker = new Worker(url, { type: "module" });
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (callback) => (worker.onmessage = ({ data }) => callback(data)),
    onFault: (callback) => {
      worker.onerror = (event) => {
        event.preventDefault?.();
        callback(event.message || "the worker did not start");
      };
    },
    terminate: () => worker.terminate(),
  };
}
