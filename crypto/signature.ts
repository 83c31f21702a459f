/** CL signatures on attributes (cryptography note, section 6). @module */

/** (A, e, v) on m_0 (secret key), m_1 (metadata), ...: Z = A^e S^v prod R_i^exp(m_i) mod n. The owner's secret: who has it can disclose. */
export type ClSignature = { readonly A: bigint; readonly e: bigint; readonly v: bigint }
