/** Lines of a face. Left and right are the person's. */

import { paths } from './connections.js';

export const LIPS = paths(
  [61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291],
  [61, 185, 40, 39, 37, 0, 267, 269, 270, 409, 291],
  [78, 95, 88, 178, 87, 14, 317, 402, 318, 324, 308],
  [78, 191, 80, 81, 82, 13, 312, 311, 310, 415, 308],
);
export const LEFT_EYE = paths(
  [263, 249, 390, 373, 374, 380, 381, 382, 362],
  [263, 466, 388, 387, 386, 385, 384, 398, 362],
);
export const LEFT_EYEBROW = paths([276, 283, 282, 295, 285], [300, 293, 334, 296, 336]);
export const LEFT_IRIS = paths([474, 475, 476, 477, 474]);
export const RIGHT_EYE = paths(
  [33, 7, 163, 144, 145, 153, 154, 155, 133],
  [33, 246, 161, 160, 159, 158, 157, 173, 133],
);
export const RIGHT_EYEBROW = paths([46, 53, 52, 65, 55], [70, 63, 105, 66, 107]);
export const RIGHT_IRIS = paths([469, 470, 471, 472, 469]);
export const FACE_OVAL = paths([
  10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377, 152, 148, 176, 149, 150, 136,
  172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109, 10,
]);
export const CONTOURS = [...LIPS, ...LEFT_EYE, ...LEFT_EYEBROW, ...RIGHT_EYE, ...RIGHT_EYEBROW, ...FACE_OVAL];
