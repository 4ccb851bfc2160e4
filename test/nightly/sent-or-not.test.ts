import { sentOrNot } from "../service/sent-or-not";
import { nodeMajors, thisMajor } from "../support/node-majors";

sentOrNot(nodeMajors.filter((major) => major !== thisMajor));
