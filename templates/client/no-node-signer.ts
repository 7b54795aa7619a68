/** In place of `node-signer.ts`, in a bundle for browsers. */
export const nodeSigner = undefined;
